// Many forward draws in a table.
#pragma once

#include <string>
#include <vector>

#include "interp/queries/predict.h"

namespace fermiac::interp {

struct PredictedDraws {
  std::vector<std::string> names;
  std::vector<double> values;  // row-major
  std::size_t rows() const { return names.empty() ? 0 : values.size() / names.size(); }
};

struct PredictManyOptions {
  std::size_t draws = 0;
  std::uint64_t seed = 0;
  unsigned threads = 1;                     // 0: as many as the machine has
  const std::atomic<bool>* stop = nullptr;
};

/// Draw i has a generator of its own, so that it does not depend on how many are drawn, nor by which thread. Parameters that are not
/// drawn come from points[i], or from the only one; none are needed where all are drawn. Throws as Predictor::draw does.
PredictedDraws predict_many(Predictor& predictor, const std::vector<std::vector<double>>& points, const PredictManyOptions& options);
/// Generator of draw i.
Rng generator_of_draw(std::uint64_t seed, std::uint64_t i);

/// Mean and standard deviation of each column.
std::string predicted_table(const PredictedDraws& draws);

}  // namespace fermiac::interp
