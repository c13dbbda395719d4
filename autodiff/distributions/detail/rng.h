// Draws from the univariate distributions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "autodiff/kernels/map_op.h"
#include "support/base/rng.h"

namespace fermiac::ad {

struct RngOp {
  std::string_view name;               // "normal_rng"
  int arity = 0;                       // at most kMaxMapArity
  std::span<const DomainRule> rules;
  /// Draws for operands that obey the rules. Throws DomainError when an int result would overflow.
  double (*draw)(Rng& rng, const double* x) = nullptr;
  bool integer_result = false;
};

const RngOp* find_rng(std::string_view name);
std::span<const RngOp> all_rngs();

/// One draw, after checking the operands: throws DomainError naming the first that breaks a rule.
double draw(const RngOp& op, Rng& rng, const double* x);
/// A draw of an `integer_result`.
inline std::int32_t drawn_int(double draw) { return static_cast<std::int32_t>(draw < 0 ? draw - 0.5 : draw + 0.5); }
/// The same for n draws with operands broadcast as in MapArgs (x, n, vector_mask; draws go to `out`).
void draw_all(const RngOp& op, Rng& rng, const MapArgs& args);

// Building blocks, also for multivariate distributions; each is in the header of its law.
double draw_gamma(Rng& rng, double shape);  // rate 1
/// Log of a standard gamma draw: does not underflow for tiny shapes.
double draw_log_gamma(Rng& rng, double shape);
double draw_chi_square(Rng& rng, double nu);
double draw_beta(Rng& rng, double a, double b);
double draw_poisson(Rng& rng, double rate);
double draw_binomial(Rng& rng, double n, double p);

}  // namespace fermiac::ad
