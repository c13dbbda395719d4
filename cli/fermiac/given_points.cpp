#include "cli/fermiac/given_points.h"

#include <algorithm>
#include <iterator>

#include "inference/method_run.h"
#include "support/json_scan.h"
#include "support/text_file.h"

namespace fermiac::cli {

std::vector<double> point_in(const interp::InterpModel& model, const std::string& json_file) {
  fermiac::TextFile file = read_text_file(json_file, true);
  if (file.state != fermiac::TextFile::State::Read) throw DataError(file.problem);
  std::vector<double> theta(model.unconstrained_size());
  if (const EvalStatus status = model.unconstrain_json(file.text, false, theta); !status)
    throw DataError(json_file + ": " + status.message);
  return theta;
}

std::vector<std::vector<double>> draws_in(const interp::InterpModel& model, const std::string& csv_file) {
  inference::CsvDraws draws;
  inference::RowReader reader;
  if (const inference::Result bad = inference::read_csv(csv_file, &draws); !bad) throw DataError(bad.error);
  if (const inference::Result bad = reader.open(model, draws); !bad) throw DataError(bad.error);
  std::vector<std::vector<double>> out;
  for (std::size_t row = draws.warmup_rows; row < draws.rows; ++row) {
    out.emplace_back(model.unconstrained_size());
    if (const inference::Result bad = reader.unconstrain(draws, row, out.back()); !bad)
      throw DataError(csv_file + ": " + bad.error);
  }
  return out;
}

std::vector<std::vector<double>> draws_in(const interp::InterpModel& model, const std::vector<std::string>& csv_files) {
  std::vector<std::vector<double>> out;
  for (const std::string& file : csv_files) std::ranges::move(draws_in(model, file), std::back_inserter(out));
  return out;
}

}  // namespace fermiac::cli
