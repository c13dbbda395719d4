// Densities in the terms of target: which they are, of what, and the masses that normalise them between bounds.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mir/sites/accumulators.h"
#include "mir/sites/definitions.h"
#include "mir/sites/site.h"

namespace fermiac::mir {

/// `factor * D_lpdf(v | …)`, or the lcdf or lccdf of v.
struct DensityCall {
  SiteKind kind = SiteKind::Density;
  std::string distribution;
  ExprPtr call;
  ExprPtr factor;  // the sign included; null: 1
};

std::optional<DensityCall> density_of(const Summand& summand, const std::function<bool(const Expr&)>& is_data);

/// The log mass that is taken away where a density is cut off.
struct Mass {
  ExprPtr lower, upper;
  ExprPtr count;  // null: 1
};
/// Of `density`, if that is what the summand is.
std::optional<Mass> mass_of(const Summand& summand, const DensityCall& density);

/// The value with its sign.
ExprPtr signed_value(const Summand& summand);

/// First arguments of the densities inside an expression: also in functions that it calls, in terms of their arguments, and in
/// what is assigned to the locals that it reads.
std::vector<ExprPtr> variates(const ExprPtr& expr, const Program& program, const Definitions& definitions);

/// A call of the function that `reduce_sum` was given, or null if it is none of the program's and none of the library's.
ExprPtr partial_sum(const Expr& function, std::vector<ExprPtr> args);

}  // namespace fermiac::mir
