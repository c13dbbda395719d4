#include "autodiff/solvers/solver_call.h"

#include <fmt/format.h>

#include <cmath>

#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

const SolverCall& solver(const KernelCall& call) {
  return *static_cast<const SolverCall*>(call.context);
}
Plan plan(const KernelCall& call) {
  return solver(call).plan(call);
}
void forward(const KernelCall& call) {
  solver(call).forward(call);
}
void reverse(const KernelCall& call) {
  solver(call).reverse(call);
}

constexpr Kernel kSolver{.name = "solver__", .plan = plan, .forward = forward, .reverse = reverse};

}  // namespace

const Kernel& solver_kernel() {
  return kSolver;
}

void require_finite(std::string_view name, std::string_view what, const KernelArg& x) {
  const std::uint32_t n = x.shape.size();
  for (std::uint32_t i = 0; i < n; ++i) {
    if (std::isfinite(x.v[i])) continue;
    const std::string element = x.shape.is_scalar() ? "" : fmt::format("[{}]", i + 1);
    throw DomainError(fmt::format("{}: {}{} is {}, but must be finite!", name, what, element, x.v[i]));
  }
}

void require_positive(std::string_view name, std::string_view what, double x) {
  if (!(x > 0) || std::isinf(x))
    throw DomainError(fmt::format("{}: {} is {}, but must be positive finite!", name, what, x));
}

void add_adjoint(const KernelArg& x, std::size_t i, double amount) {
  if (x.a != nullptr) x.a[i] += amount;
}

}  // namespace fermiac::ad
