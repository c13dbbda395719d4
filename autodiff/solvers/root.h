// Systems of equations f(y, theta) = 0, with derivatives of the root by the implicit function theorem.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "autodiff/solvers/function.h"
#include "autodiff/solvers/solver_call.h"

namespace fermiac::ad {

enum class RootMethod : std::uint8_t { Newton, Powell };

struct RootOptions {
  std::string_view name;   // of the function in the language; static storage
  RootMethod method = RootMethod::Newton;
  double step_tol = 1e-3;  // Newton: smallest step; Powell: relative, of the trust region
  double f_tol = 1e-6;     // norm of f at the root
  double max_steps = 200;
};

/// Operands: the guess, and what else carries derivatives. The inputs of `f` are y and the latter.
std::shared_ptr<const SolverCall> make_root_call(const RootOptions& options, std::shared_ptr<const FunctionSource> f);

}  // namespace fermiac::ad
