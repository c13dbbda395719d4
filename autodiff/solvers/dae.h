// Systems F(t, y, y', theta) = 0 of differential and algebraic equations, with forward sensitivities.
#pragma once

#include <memory>
#include <string_view>

#include "autodiff/solvers/function.h"
#include "autodiff/solvers/solver_call.h"

namespace fermiac::ad {

struct DaeOptions {
  std::string_view name;  // of the function in the language; static storage
  double rel_tol = 1e-10;
  double abs_tol = 1e-10;
  double max_steps = 1e8;
};

/// Operands: initial state, its derivative, initial time, times, and what else carries derivatives. The inputs of
/// `residual` are time, state, derivative and the latter.
std::shared_ptr<const SolverCall> make_dae_call(const DaeOptions& options,
                                                std::shared_ptr<const FunctionSource> residual);

}  // namespace fermiac::ad
