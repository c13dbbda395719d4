#include "cli/fermiac/runs/replayed_path.h"

#include <algorithm>
#include <cmath>

#include "inference/output/csv.h"
#include "inference/output/posterior_table.h"

namespace fermiac::cli {

using namespace inference;

namespace {

constexpr std::size_t kMostQuantities = 5;  // that nobody asked for

double sd_in(const CsvDraws& file, const std::string& name) {
  const std::size_t column = file.column(name);
  double n = 0, mean = 0, squares = 0;
  for (std::size_t row = file.warmup_rows; column != npos && row < file.rows; ++row) {
    const double d = file.at(row, column) - mean;
    mean += d / ++n;
    squares += d * (file.at(row, column) - mean);
  }
  return n > 1 ? std::sqrt(squares / (n - 1)) : 1;
}

/// How far a quantity moves, in standard deviations of the chain's draws.
double movement(const Path& path, std::size_t k, const CsvDraws& file) {
  double low = kInf, high = -kInf;
  for (const Vec& point : path.points) {
    if (!std::isfinite(point[k])) continue;
    low = std::min(low, point[k]);
    high = std::max(high, point[k]);
  }
  const double sd = sd_in(file, path.names[k]);
  return high > low && sd > 0 ? (high - low) / sd : 0;
}

Status named_quantities(const Path& path, const std::vector<std::string>& wanted, std::vector<std::size_t>* out) {
  std::vector<ColumnSummary> all(path.names.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k].name = path.names[k];
  std::string error;
  const auto columns = select_columns(all, wanted, &error);
  if (!columns) return Status::failed("there is no '" + error + "' among the parameters" + similar_name(error, all));
  for (const ColumnSummary& c : *columns) out->push_back(static_cast<std::size_t>(std::ranges::find(path.names, c.name) - path.names.begin()));
  return {};
}

}  // namespace

const Block* block_of(const BlockSampling* blocks, const ReplayedMove& move) { return blocks ? &blocks->blocks[move.block] : nullptr; }

bool has_steps(const Block* block) { return !block || has_trajectories(block->sampler); }

const interp::InterpModel& ModelThen::at(const SweepPoint& point) {
  if (!state_) return model_;
  state_->set_ints(point.ints);
  return dynamic_cast<const interp::InterpModel&>(state_->model());
}

namespace {

void add_point(ModelWorkspace& workspace, const Vec& q, Path* path) {
  Rng rng(1);  // parameters draw nothing
  path->points.emplace_back(path->names.size(), kNaN);
  Vec& values = path->points.back();
  if (!workspace.write_array(q, false, false, rng, values)) std::ranges::fill(values, kNaN);
}

}  // namespace

Path path_of(ModelThen& then, const Block* block, const ReplayedMove& move) {
  const interp::InterpModel& model = then.at(move.start);
  Path out{model.names(false, false), {}};
  const auto workspace = model.workspace();
  add_point(*workspace, move.start.q, &out);
  for (const ReplayedStep& step : move.steps) add_point(*workspace, step.q, &out);
  if (!has_steps(block)) add_point(*then.at(move.end).workspace(), move.end.q, &out);
  return out;
}

Status chosen_quantities(const Path& path, const CsvDraws& file, const std::vector<std::string>& wanted, bool moving, std::vector<std::size_t>* out) {
  if (!wanted.empty()) return named_quantities(path, wanted, out);
  std::vector<std::pair<double, std::size_t>> moved;
  for (std::size_t k = 0; k < path.names.size(); ++k)
    if (const double far = movement(path, k, file); far > 0 || !moving) moved.emplace_back(-far, k);
  std::ranges::sort(moved);
  for (std::size_t i = 0; i < std::min(kMostQuantities, moved.size()); ++i) out->push_back(moved[i].second);
  std::ranges::sort(*out);
  return {};
}

}  // namespace fermiac::cli
