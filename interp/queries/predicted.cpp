#include "interp/queries/predicted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inference/model/column_names.h"
#include "inference/output/csv.h"
#include "support/base/interrupted.h"
#include "support/platform/threads.h"

namespace fermiac::interp {

Rng generator_of_draw(std::uint64_t seed, std::uint64_t i) {
  return Rng(seed * 0x9e3779b97f4a7c15ULL + i);
}

PredictedDraws predict_many(Predictor& predictor, const std::vector<std::vector<double>>& points, const PredictManyOptions& options) {
  PredictedDraws out{predictor.names(), {}};
  const std::size_t width = out.names.size();
  out.values.resize(options.draws * width);
  const std::vector<double> nothing(predictor.model().unconstrained_size());
  const auto draw = [&](Predictor& by, std::size_t i) {
    if (options.stop && options.stop->load(std::memory_order_relaxed)) throw ad::Interrupted();
    Rng rng = generator_of_draw(options.seed, i);
    const std::vector<double>& theta = points.empty() ? nothing : points[points.size() == 1 ? 0 : i];
    by.draw(theta, rng, std::span(out.values).subspan(i * width, width));
  };
  constexpr std::size_t kAtLeast = 16;  // draws, for which a thread is worth while
  const std::size_t parts = std::clamp<std::size_t>(options.draws / kAtLeast, 1, resolved_threads(options.threads));
  std::vector<std::unique_ptr<Predictor>> predictors(parts);
  for (auto& one : predictors) one = std::make_unique<Predictor>(predictor);
  run_parallel(options.threads, parts, [&](std::size_t part) {
    for (std::size_t i = options.draws * part / parts; i < options.draws * (part + 1) / parts; ++i) draw(*predictors[part], i);
  });
  for (const auto& one : predictors) predictor.count(*one);
  return out;
}

std::string predicted_table(const PredictedDraws& draws) {
  std::size_t width = 4;
  for (const std::string& name : draws.names) width = std::max(width, inference::pretty_name(name).size());
  std::string out = fmt::format("{:{}}  {:>12}  {:>12}\n", "", width, "mean", "sd");
  const auto n = static_cast<double>(draws.rows());
  const std::size_t columns = draws.names.size();
  std::vector<double> mean(columns), squares(columns);
  const auto each = [&](auto what) {
    const double* value = draws.values.data();
    for (std::size_t row = 0; row < draws.rows(); ++row)
      for (std::size_t c = 0; c < columns; ++c) what(c, *value++);
  };
  each([&](std::size_t c, double x) { mean[c] += x; });
  for (double& sum : mean) sum /= n;
  each([&](std::size_t c, double x) { squares[c] += (x - mean[c]) * (x - mean[c]); });
  for (std::size_t c = 0; c < columns; ++c)
    out += fmt::format("{:{}}  {:>12}  {:>12}\n", inference::pretty_name(draws.names[c]), width, fmt::format("{:.6g}", mean[c]),
                       fmt::format("{:.6g}", std::sqrt(squares[c] / (n - 1))));
  return out;
}

}  // namespace fermiac::interp
