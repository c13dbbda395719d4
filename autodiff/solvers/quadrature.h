// Integrals of f(x, xc, theta) over x from a to b, with derivatives with respect to the limits and theta.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "autodiff/solvers/function.h"
#include "autodiff/solvers/solver_call.h"

namespace fermiac::ad {

enum class QuadratureRule : std::uint8_t { DoubleExponential, GaussKronrod };

struct QuadratureOptions {
  std::string_view name;      // of the function in the language; static storage
  QuadratureRule rule = QuadratureRule::DoubleExponential;
  double rel_tol = 1.4901161193847656e-8;
  double abs_tol = 0;
  double max_refinements = 15;
};

/// Operands: a, b, and what else carries derivatives. The inputs of `f` are x, the distance to the nearer limit (negative
/// at a, positive at b), and the latter.
std::shared_ptr<const SolverCall> make_quadrature_call(const QuadratureOptions& options,
                                                       std::shared_ptr<const FunctionSource> f);

}  // namespace fermiac::ad
