// Starting points near the bulk of the posterior: quasi-Newton paths with Pathfinder's normal approximations along them
// (Zhang, Carpenter, Gelman & Vehtari 2022), from several random points.
//
// Why that is sound: whatever point a chain starts at, it converges to the posterior; only how long that takes changes. For
// R-hat to notice chains that have not converged, they must start further apart than draws of the posterior are, and
// independently: each chain draws its own random points and walks its own paths, one of which is taken with a probability
// proportional to exp(lower bound of its mass), so that modes of similar mass are all visited; the point is then drawn from
// the normal approximation with its deviations doubled.
#pragma once

#include "inference/model/init.h"

namespace fermiac::inference {

/// Replaces `theta`, where the density is finite, by a point found along paths from there and from other points that
/// `spec` draws. Leaves it as it is where no path gives a point with a finite density and gradient. Returns what happened,
/// for people. Cost: some hundred evaluations.
std::string search_start(const InitSpec& spec, Target& target, Rng& rng, Span theta);

/// A point to look at a model at: one found as a chain's start is, from random numbers of this seed. Errors: no point with a finite
/// density was found, and why; `theta` is then what was tried last.
Status typical_point(const Model& model, std::uint64_t seed, const std::atomic<bool>* stop, Vec* theta);

}  // namespace fermiac::inference
