// Convergence diagnostics and effective sample sizes of one quantity over several chains (Vehtari, Gelman, Simpson,
// Carpenter, Bürkner 2021, "Rank-normalization, folding, and localization: an improved R-hat").
//
// Arguments are chains of equal length, one vector each. Results are NaN where the quantity is constant in every
// chain, has a value that is not finite, or has fewer than four draws per chain.
#pragma once

#include <vector>

#include "inference/diagnostics/ordered_draws.h"
#include "inference/math/vectors.h"

namespace fermiac::inference {


/// Effective sample size for the mean of the draws as they are (chains split in halves).
double ess_mean(const ChainVecs& chains);
/// Of the rank-normalised draws, split.
double ess_bulk(const ChainVecs& chains);
/// The smaller of those for the 5 % and 95 % quantiles, split.
double ess_tail(const ChainVecs& chains);
/// Rank-normalised split R-hat: the larger of the bulk and the folded one.
double rhat(const ChainVecs& chains);

/// All four, sharing what they have in common.
struct Convergence {
  double ess_mean = kNaN, ess_bulk = kNaN, ess_tail = kNaN, rhat = kNaN;
};
Convergence convergence(const ChainVecs& chains);

/// Autocorrelation at lags 0, 1, …, n - 1 of one chain; NaN where it does not vary.
Vec autocorrelation(const Vec& draws);

/// convergence() where the order of draws and distances is known, and the scores of so many ranks.
Convergence convergence(const ChainVecs& chains, const OrderedDraws& ordered, const OrderedDraws& distances, const NormalScores& scores);

}  // namespace fermiac::inference
