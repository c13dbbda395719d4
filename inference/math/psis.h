// Pareto-smoothed importance sampling (Vehtari, Simpson, Gelman, Yao, Gabry 2024).
#pragma once

#include "inference/math/vectors.h"

namespace fermiac::inference {

/// Smooths the largest of the log ratios in place and normalises all to log weights that sum to one.
/// Returns the estimated tail shape k: above 0.7 the weights are unreliable; infinite when the tail is too short to
/// fit, or one value makes up a quarter of it. `r_eff`: effective over actual draws; the tail is longer where that is small.
double psis_log_weights(Span log_ratios, double r_eff = 1);

/// The ratios are the same up to what no estimate would show: the tail shape of such is one of rounding errors, and nothing is to be
/// repaired.
bool are_alike(ConstSpan log_ratios);

/// Shape and scale of a generalised Pareto distribution (Zhang & Stephens 2009, with the weak prior on the shape).
/// `sorted` is ascending, of five elements and more, not negative, and positive from its first quartile on.
struct ParetoFit {
  double k, sigma;
};
ParetoFit fit_generalised_pareto(ConstSpan sorted);

}  // namespace fermiac::inference
