// Functions of functions as operations on the tape: one kernel, whose context says what is to be solved.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "autodiff/kernels/kernel.h"

namespace fermiac::ad {

/// One call of a solver. Immutable, shared by threads; operands come with the KernelCall as for every kernel.
class SolverCall {
 public:
  virtual ~SolverCall() = default;
  virtual Plan plan(const KernelCall& call) const = 0;
  virtual void forward(const KernelCall& call) const = 0;
  virtual void reverse(const KernelCall& call) const = 0;
};

/// Takes a `const SolverCall*` as context.
const Kernel& solver_kernel();

// Checks that solvers share; each throws DomainError "name: what …".
void require_finite(std::string_view name, std::string_view what, const KernelArg& x);
void require_positive(std::string_view name, std::string_view what, double x);
/// adjoints += scale * v, where the operand carries derivatives.
void add_adjoint(const KernelArg& x, std::size_t i, double amount);

}  // namespace fermiac::ad
