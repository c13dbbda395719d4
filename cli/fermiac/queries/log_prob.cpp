// `fermiac log-prob`: one JSON line per point.
#include <vector>

#include "cli/fermiac/shared/commands.h"
#include "cli/fermiac/shared/given_points.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/refuse.h"
#include "interp/io/data_files.h"
#include "support/base/json.h"
#include "support/base/json_scan.h"
#include "support/base/text_file.h"
#include "support/platform/descriptor.h"
#include "support/platform/output.h"

namespace fermiac::cli {
namespace {

using Point = std::vector<double>;

constexpr std::size_t kMostPoints = std::size_t{1} << 30;  // bytes: some streams never end

std::string read_all(const std::string& path) {
  TextFile file = path == "-" ? read_text(kStandardInput, "standard input", kMostPoints) : read_text_file(path, true, kMostPoints);
  if (file.state != TextFile::State::Read) throw InputError(file.problem);
  return std::move(file.text);
}

/// Arrays are points on the unconstrained scale, objects name parameters on their own.
std::vector<Point> points_of(const std::string& text, const interp::InterpModel& model, const std::string& source) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first != text.npos && text[first] == '{') return {point_of(model, text, source)};
  const std::size_t second = first == text.npos ? text.npos : text.find_first_not_of(kBlanks, first + 1);
  if (second == text.npos || text[first] != '[' || text[second] != '{') return interp::parse_points(text, source);
  std::vector<Point> out;
  for (const std::string_view element : json_elements(text, source)) out.push_back(point_of(model, element, source));
  return out;
}

/// On plain numbers, without derivatives.
bool is_plain(const LogProbArgs& args) {
  return args.engine == "interp" || (args.engine == "native" && !args.gradient && !args.propto);
}

EvalStatus evaluate(const LogProbArgs& args, const interp::InterpModel& model, ModelWorkspace& workspace,
                    const Point& theta, double* lp, Point& gradient) {
  if (theta.size() != model.unconstrained_size())
    return {EvalStatus::Kind::Rejected, fmt::format("the point has {} numbers, the model has {} unconstrained parameters",
                                                    theta.size(), model.unconstrained_size())};
  if (is_plain(args)) return model.log_density_plain(theta, args.jacobian, lp);
  const DensityOptions options{.propto = args.propto, .jacobian = args.jacobian};
  return args.gradient ? workspace.log_density_gradient(theta, options, lp, gradient)
                       : workspace.log_density(theta, options, lp);
}

bool print_line(const EvalStatus& status, double lp, const Point& gradient, bool with_gradient) {
  std::string line;
  JsonGroup object(line, JsonGroup::Kind::Object);
  if (!status) {
    object.member("error") += json_quote(status.message);
  } else {
    object.member("lp") += json_number(lp);
    if (with_gradient) object.member("grad") += json_list(gradient);
  }
  object.end();
  return write_output(line + "\n");
}

}  // namespace

int run_log_prob(const LogProbArgs& args, Stop& stop) {
  if (args.engine == "interp" && args.gradient)
    return refuse("--evaluator interp has no gradient");
  if (args.engine == "interp" && args.propto)
    return refuse("--propto requires --evaluator replay or native");
  ModelArgs given = args.model;
  given.prints_to_errors = true;  // standard output is data
  given.tapes = args.engine == "replay";
  const auto model = load_interp_model(given);
  const std::vector<Point> points = points_of(read_all(args.at), *model, args.at == "-" ? "standard input" : args.at);
  const auto workspace = model->workspace();
  Point gradient(model->unconstrained_size());
  for (const Point& theta : points) {
    double lp = 0;
    const EvalStatus status = evaluate(args, *model, *workspace, theta, &lp, gradient);
    if (Stop::requested()) return refuse(stop.reason());
    if (!print_line(status, lp, gradient, args.gradient)) return 1;
  }
  return 0;
}

}  // namespace fermiac::cli
