// Leave-one-out where the draws know an observation too well for their weights to be reliable: they are moved to where they would be
// without it (Paananen, Piironen, Bürkner & Vehtari 2021, "Implicitly adaptive importance sampling", algorithm 1 and section 3.3).
//
// A move is affine. It gives the draws the mean, then the spread of each coordinate, then the covariance that they have under the
// weights, and stays where it makes the tail shape smaller. With T all moves one after the other and p the target, T(draws) have the
// density p(T^-1 x) / |T|. In the end half of the draws are moved and half are not, so that they are of the mixture
//   q(x) = (p(x) + p(T^-1 x) / |T|) / 2
// which covers both, and weigh p(x) / (L(x) q(x)) for an observation of likelihood L.
#pragma once

#include <atomic>

#include "inference/diagnostics/loo.h"

namespace fermiac::inference {

/// Does that for the bad observations of `out`, which is the result of psis_loo for `log_lik` with its points; those whose shape
/// becomes no smaller keep what they have. Costs, for each of them, an evaluation of the density and of all likelihoods at all draws for
/// every move that is tried (some four to ten). Covariances take at least ten draws for each coordinate.
Result match_moments(const ObservedModel& observed, const LogLik& log_lik, std::optional<double> r_eff, const std::atomic<bool>* stop,
                     CrossValidation* out);

}  // namespace fermiac::inference
