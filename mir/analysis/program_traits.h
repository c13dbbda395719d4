// Traits of a whole program: which generated quantities are output of random number generators alone, and whether it solves equations.
#pragma once

#include <string>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// Names of the generated quantities that depend on parameters, and on other quantities computed from them, only through arguments of
/// random number generators, and on at least one of those; in output order. Examples: `y_rep[n] = normal_rng(mu, sigma)`, and a statistic of
/// y_rep. Given the parameters, draws of different iterations are independent. A user-defined function `…_rng` counts as a generator.
std::vector<std::string> pure_draws(const Program& program);

/// Whether the log density calls a solver of ordinary or differential-algebraic equations, directly or in a user-defined function.
bool solves_differential_equations(const Program& program);

}  // namespace fermiac::mir
