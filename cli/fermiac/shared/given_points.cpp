#include "cli/fermiac/shared/given_points.h"

#include "inference/methods/method_run.h"
#include "inference/output/csv.h"
#include "inference/output/draw_files.h"
#include "support/base/json_scan.h"
#include "support/base/text_file.h"

namespace fermiac::cli {

std::vector<double> point_of(const interp::InterpModel& model, std::string_view json, const std::string& source) {
  std::vector<double> theta(model.unconstrained_size());
  if (const EvalStatus status = model.unconstrain_json(json, {}, theta); !status) throw InputError(source + ": " + status.message);
  return theta;
}

std::vector<double> point_in(const interp::InterpModel& model, const std::string& json_file) {
  const fermiac::TextFile file = read_text_file(json_file, true);
  if (file.state != fermiac::TextFile::State::Read) throw InputError(file.problem);
  return point_of(model, file.text, json_file);
}

void require_point(const interp::InterpModel& model, const PointArgs& point, std::string_view command) {
  if (!point.at.empty() || !point.draws.empty() || model.unconstrained_size() == 0) return;
  throw InputError(std::string(command) + " needs a point: give values of the parameters with --at P.json or draws with --draws DIR");
}

std::vector<std::vector<double>> draws_in(const interp::InterpModel& model, const std::vector<std::string>& files, std::size_t* chains) {
  std::vector<std::vector<double>> out;
  const Status read = inference::read_draws(files, [&](inference::CsvDraws& draws) -> Status {
    inference::RowReader reader;
    if (chains) ++*chains;
    if (const Status bad = reader.open(model, draws); !bad) return bad;
    for (std::size_t row = draws.warmup_rows; row < draws.rows; ++row) {
      out.emplace_back(model.unconstrained_size());
      if (const Status bad = reader.unconstrain(draws, row, out.back()); !bad)
        return Status::failed(draws.path + ": " + bad.message);
    }
    return {};
  });
  if (!read) throw InputError(read.message);
  return out;
}

}  // namespace fermiac::cli
