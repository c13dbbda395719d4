// Sensitivity of posterior draws to power-scaling of prior and likelihood (Kallioinen, Paananen, Bürkner, Vehtari 2024).
#pragma once

#include <string>
#include <vector>

#include "inference/math/vectors.h"

namespace fermiac::inference {

/// Draws and, for each, what every component adds to the log density.
struct ScaledDraws {
  std::vector<std::string> names;       // of quantities
  std::vector<Vec> values;              // [quantity][draw]
  std::vector<std::string> components;  // likelihood last
  std::vector<Vec> sums;                // [component][draw]
  double r_eff = 1;
  std::size_t observations = 0;         // in the likelihood, of
  std::vector<std::string> of_what = {};
};

struct Sensitivity {
  std::string name;
  Vec by_component;
  std::string diagnosis;
};

/// What weighting by a power of a component does to means and standard deviations.
struct Scaled {
  std::string component;
  double alpha = 1;
  double k = 0;        // tail shape: above 0.7 not to be trusted
  Vec mean, sd;        // by quantity
};

std::vector<Sensitivity> sensitivities(const ScaledDraws& draws);
std::vector<Scaled> scaled(const ScaledDraws& draws, const std::vector<double>& alphas);

/// Square root of the cumulative Jensen-Shannon distance of draws with and without weights (which sum to one).
double cumulative_distance(const Vec& draws, const Vec& weights);

std::string sensitivity_json(const ScaledDraws& draws, const std::vector<Sensitivity>& found, const std::vector<Scaled>& scaled);
std::string sensitivity_text(const ScaledDraws& draws, const std::vector<Sensitivity>& found, const std::vector<Scaled>& scaled);

}  // namespace fermiac::inference
