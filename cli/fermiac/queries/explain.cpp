// `fermiac explain`: where the log density and its gradient come from.
#include <fmt/format.h>

#include <cstdio>
#include <limits>

#include "cli/fermiac/shared/given_points.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/questions.h"
#include "cli/fermiac/shared/refuse.h"
#include "inference/approximate/start.h"
#include "inference/methods/method_run.h"
#include "inference/output/csv.h"
#include "inference/output/draw_files.h"
#include "interp/queries/explain_text.h"
#include "support/platform/output.h"

namespace fermiac::cli {
namespace {

constexpr std::size_t kMostOthers = 2000;  // draws that did not diverge are many, and enough of them say what is usual

int explain_point(const interp::ConditionedModel& model, const std::vector<double>& theta, const ExplainArgs& args) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const bool json = args.format == "json";
  const interp::Explanation x = interp::explain(model, theta, json ? interp::ExplainOptions{kAll, kAll} : interp::ExplainOptions{.elements = args.elements ? kAll : 3});
  if (x.status.kind == EvalStatus::Kind::Interrupted) return refuse(x.status.message);
  const std::string text = json ? interp::explanation_json(model, theta, x)
                                : interp::point_text(model, theta) + interp::explanation_text(model, x);
  return write_output(text) ? 0 : 1;
}

int explain_typical(const interp::ConditionedModel& model, const ExplainArgs& args) {
  std::vector<double> theta;
  if (const Status bad = inference::typical_point(model, args.seed, &Stop::flag(), &theta); !bad) {
    if (Stop::flag()) return refuse(bad.message);
    std::fputs("no point was found where the log density is finite; this is the last that was tried\n", stderr);
  }
  return explain_point(model, theta, args);
}

// ---------------------------------------------------------------- draws

struct GivenDraws {
  std::vector<std::vector<double>> points;
  std::vector<bool> divergent;
  std::size_t left_out = 0;
};

/// All that diverged, and of the others every n-th where they are many.
void read_draws(const interp::ConditionedModel& model, const std::vector<std::string>& given, GivenDraws* out) {
  std::vector<inference::CsvDraws> draws;
  std::size_t others = 0;
  const Status read = inference::read_draws(given, [&](inference::CsvDraws& d) {
    if (d.column("divergent__") == inference::npos)
      return Status::failed(fmt::format("'{}' does not say which draws diverged: there is no column divergent__", d.path));
    others += d.rows - d.warmup_rows;
    draws.push_back(std::move(d));
    return Status{};
  });
  if (!read) throw InputError(read.message);
  const std::size_t every = others / kMostOthers + 1;
  std::size_t seen = 0;
  for (const inference::CsvDraws& d : draws) {
    inference::RowReader reader;
    const std::size_t column = d.column("divergent__");
    if (const Status bad = reader.open(model, d); !bad) throw InputError(bad.message);
    for (std::size_t row = d.warmup_rows; row < d.rows; ++row) {
      const bool divergent = d.at(row, column) != 0;
      if (!divergent && seen++ % every != 0) {
        ++out->left_out;
        continue;
      }
      out->points.emplace_back(model.unconstrained_size());
      out->divergent.push_back(divergent);
      if (const Status bad = reader.unconstrain(d, row, out->points.back()); !bad) throw InputError(d.path + ": " + bad.message);
    }
  }
}

std::string heading(const interp::LineDifferences& d, std::size_t left_out) {
  std::string out = fmt::format("{} divergent draws against {} others", d.chosen, d.others);
  if (left_out > 0) out += fmt::format(" (of {})", d.others + left_out);
  if (d.failed > 0) out += fmt::format("; at {} draws the density cannot be evaluated", d.failed);
  return out + "\n";
}

int explain_draws(const interp::ConditionedModel& model, const ExplainArgs& args) {
  GivenDraws draws;
  read_draws(model, args.draws, &draws);
  interp::LineDifferences differences;
  if (const EvalStatus status = interp::line_differences(model, draws.points, draws.divergent, &differences); !status) return refuse(status.message);
  if (args.format == "json") return write_output(interp::differences_json(model, differences)) ? 0 : 1;
  if (differences.chosen == 0) return write_output("no draw diverged\n") ? 0 : 1;
  return write_output(heading(differences, draws.left_out) + interp::differences_text(model, differences)) ? 0 : 1;
}

}  // namespace

int run_explain(const ExplainArgs& args) {
  ModelArgs given = args.model;
  given.prints_to_errors = true;  // standard output is data
  const auto model = load_conditioned_model(given);
  if (!args.draws.empty()) return explain_draws(*model, args);
  return args.at.empty() ? explain_typical(*model, args) : explain_point(*model, point_in(*model, args.at), args);
}

}  // namespace fermiac::cli
