// The structured transforms as kernels; see transforms.h for their operands.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "autodiff/linalg/eigen.h"
#include "autodiff/linalg/kernel_tools.h"
#include "autodiff/transforms/structured.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

/// The constrained element's size, from the free operand and the int operands.
Extent extent_of(const Structured& s, const KernelCall& c) {
  const Shape& free = c.in[0].shape;
  if (s.sizes == 1) return {*c.in[1].i, *c.in[1].i, false};
  if (s.sizes == 2) return {*c.in[1].i, *c.in[2].i, false};
  const Index r = free.rows, n = free.cols;
  switch (s.kind) {
    case Transform::Simplex:
      return {r + 1, 1, true};
    case Transform::SumToZero:
      return free.inner == Inner::Matrix ? Extent{r + 1, n + 1, false} : Extent{r + 1, 1, true};
    case Transform::StochasticColumn:
      return {r + 1, n, false};
    case Transform::StochasticRow:
      return {r, n + 1, false};
    default:
      return {r, 1, true};
  }
}

Shape constrained_shape(const KernelCall& c, Extent e) {
  Shape s = c.in[0].shape;
  s.inner = e.vector ? Inner::Vector : Inner::Matrix;
  s.rows = static_cast<std::uint32_t>(e.rows);
  s.cols = static_cast<std::uint32_t>(e.cols);
  return s;
}

Plan plan_of(const Structured& s, const KernelCall& c, bool with_jacobian) {
  const Extent e = extent_of(s, c);
  if (e.rows < 0 || e.cols < 0) throw SizeError(fmt::format("{}: sizes must not be negative", c.name));
  if (s.kind == Transform::CholeskyFactorCov && e.rows < e.cols)
    throw SizeError(fmt::format("{}: rows ({}) must be at least as many as columns ({})", c.name, e.rows, e.cols));
  if (s.kind == Transform::UnitVector) check_nonempty(c.name, "y", e.rows);
  check_sizes_match(c.name, "Size of the free vector", c.in[0].shape.inner_size(), "number of free values",
                    s.free_size(e));
  const Shape out = constrained_shape(c, e);
  return {with_jacobian ? Shape::vector(out.size() + 1) : out, static_cast<std::uint64_t>(scratch_size(e))};
}

void forward_of(const Structured& s, const KernelCall& c, bool with_jacobian) {
  const Extent e = extent_of(s, c);
  const Index n = s.free_size(e), m = e.size(), count = c.in[0].shape.count();
  double log_j = 0;
  for (Index k = 0; k < count; ++k) log_j += s.constrain(e, c.in[0].v + k * n, c.out + k * m, c.scratch);
  if (with_jacobian) c.out[count * m] = log_j;
}

void reverse_of(const Structured& s, const KernelCall& c, bool with_jacobian) {
  const Extent e = extent_of(s, c);
  const Index n = s.free_size(e), m = e.size(), count = c.in[0].shape.count();
  const double g = with_jacobian ? c.out_a[count * m] : 0;
  for (Index k = 0; k < count; ++k)
    s.reverse(e, c.in[0].v + k * n, c.out + k * m, c.out_a + k * m, g, c.in[0].a + k * n, c.scratch);
}

// ---- the inverse as a function of its own

Extent constrained_extent(const KernelCall& c) {
  const Shape& s = c.in[0].shape;
  return {static_cast<Index>(s.rows), static_cast<Index>(s.cols), s.inner != Inner::Matrix};
}
Plan unconstrain_plan(const Structured& s, const KernelCall& c) {
  return {free_shape(s.kind, c.name, c.in[0].shape), 0};
}
void unconstrain_forward(const Structured& s, const KernelCall& c) {
  const Extent e = constrained_extent(c);
  const Index n = s.free_size(e), m = e.size();
  for (Index k = 0; k < static_cast<Index>(c.in[0].shape.count()); ++k) {
    check_element(s.kind, fmt::format("{}: x", c.name), e, c.in[0].v + k * m);
    s.unconstrain(e, c.in[0].v + k * m, c.out + k * n);
  }
}
/// x̄ += (J⁺)' ȳ, J = ∂x/∂y: what an infinitesimal move within the constrained type does to y. Moves out of it do
/// nothing.
void unconstrain_reverse(const Structured& s, const KernelCall& c) {
  const Extent e = constrained_extent(c);
  const Index n = s.free_size(e), m = e.size();
  std::vector<double> scratch(static_cast<std::size_t>(scratch_size(e))), x(static_cast<std::size_t>(m)),
      unit(x.size());
  Eigen::MatrixXd transposed(n, m);  // of J
  for (Index k = 0; k < static_cast<Index>(c.in[0].shape.count()) && n > 0; ++k) {
    transposed.setZero();
    for (Index i = 0; i < m; ++i) {
      s.constrain(e, c.out + k * n, x.data(), scratch.data());
      unit[static_cast<std::size_t>(i)] = 1;
      s.reverse(e, c.out + k * n, x.data(), unit.data(), 0, transposed.col(i).data(), scratch.data());
      unit[static_cast<std::size_t>(i)] = 0;
    }
    const Eigen::Map<const Eigen::VectorXd> g(c.out_a + k * n, n);
    Eigen::Map<Eigen::VectorXd>(c.in[0].a + k * m, m) += transposed.completeOrthogonalDecomposition().solve(g);
  }
}

template <Transform T>
const Structured& of() {
  return structured(T);
}

template <const Structured& (*S)()>
struct Forms {
  static Plan plan(const KernelCall& c) { return plan_of(S(), c, false); }
  static void forward(const KernelCall& c) { forward_of(S(), c, false); }
  static void reverse(const KernelCall& c) { reverse_of(S(), c, false); }
  static Plan jacobian_plan(const KernelCall& c) { return plan_of(S(), c, true); }
  static void jacobian_forward(const KernelCall& c) { forward_of(S(), c, true); }
  static void jacobian_reverse(const KernelCall& c) { reverse_of(S(), c, true); }
  static Plan inverse_plan(const KernelCall& c) { return unconstrain_plan(S(), c); }
  static void inverse_forward(const KernelCall& c) { unconstrain_forward(S(), c); }
  static void inverse_reverse(const KernelCall& c) { unconstrain_reverse(S(), c); }
};

}  // namespace

// The three kernels of one kind.
#define FERMIAC_TRANSFORM_OF(S, name)                                                                          \
  total({name "_constrain", Forms<S>::plan, Forms<S>::forward, Forms<S>::reverse}),                            \
      total({name "_jacobian__", Forms<S>::jacobian_plan, Forms<S>::jacobian_forward, Forms<S>::jacobian_reverse}), { \
    name "_unconstrain", Forms<S>::inverse_plan, Forms<S>::inverse_forward, Forms<S>::inverse_reverse          \
  }
#define FERMIAC_TRANSFORM(T, name) FERMIAC_TRANSFORM_OF(of<Transform::T>, name)

FERMIAC_EXPORT_KERNELS(transform_kernels, FERMIAC_TRANSFORM(Ordered, "ordered"),
                       FERMIAC_TRANSFORM(PositiveOrdered, "positive_ordered"), FERMIAC_TRANSFORM(Simplex, "simplex"),
                       FERMIAC_TRANSFORM(UnitVector, "unit_vector"), FERMIAC_TRANSFORM(SumToZero, "sum_to_zero"),
                       FERMIAC_TRANSFORM(CholeskyFactorCorr, "cholesky_factor_corr"),
                       FERMIAC_TRANSFORM(CholeskyFactorCov, "cholesky_factor_cov"),
                       FERMIAC_TRANSFORM(CorrMatrix, "corr_matrix"), FERMIAC_TRANSFORM(CovMatrix, "cov_matrix"),
                       FERMIAC_TRANSFORM(StochasticColumn, "stochastic_column"),
                       FERMIAC_TRANSFORM(StochasticRow, "stochastic_row"),
                       FERMIAC_TRANSFORM_OF(stick_breaking, "simplex_stick_breaking"))

}  // namespace fermiac::ad
