// The maps between constrained and free values as functions. `…_constrain` and `…_unconstrain` are kernels and maps of their
// own; `…_jacobian` is the constraining map that also adds its log Jacobian to the target.
#include "autodiff/tape/record/recorder.h"
#include "interp/functions/builtin_tools.h"
#include "interp/functions/operands.h"

namespace fermiac::interp {
namespace {

using Name = std::string_view;

/// The maps of a transform of single numbers.
struct Elementwise {
  Name constrain, log_jacobian;
};
constexpr Elementwise kLower{"lower_bound_constrain", "lower_bound_log_jacobian__"};
constexpr Elementwise kUpper{"upper_bound_constrain", "upper_bound_log_jacobian__"};
constexpr Elementwise kLowerUpper{"lower_upper_bound_constrain", "lower_upper_bound_log_jacobian__"};
constexpr Elementwise kOffsetMultiplier{"offset_multiplier_constrain", "offset_multiplier_log_jacobian__"};

/// The kernels of a transform of containers: the second one gives the numbers of the constrained value, then the log Jacobian.
struct Structured {
  Name constrain, jacobian;
};
constexpr Structured kOrdered{"ordered_constrain", "ordered_jacobian__"};
constexpr Structured kPositiveOrdered{"positive_ordered_constrain", "positive_ordered_jacobian__"};
constexpr Structured kSimplex{"simplex_constrain", "simplex_jacobian__"};
constexpr Structured kStickBreaking{"simplex_stick_breaking_constrain", "simplex_stick_breaking_jacobian__"};
constexpr Structured kUnitVector{"unit_vector_constrain", "unit_vector_jacobian__"};
constexpr Structured kSumToZero{"sum_to_zero_constrain", "sum_to_zero_jacobian__"};
constexpr Structured kCholeskyCorr{"cholesky_factor_corr_constrain", "cholesky_factor_corr_jacobian__"};
constexpr Structured kCholeskyCov{"cholesky_factor_cov_constrain", "cholesky_factor_cov_jacobian__"};
constexpr Structured kCorrMatrix{"corr_matrix_constrain", "corr_matrix_jacobian__"};
constexpr Structured kCovMatrix{"cov_matrix_constrain", "cov_matrix_jacobian__"};
constexpr Structured kStochasticColumn{"stochastic_column_constrain", "stochastic_column_jacobian__"};
constexpr Structured kStochasticRow{"stochastic_row_constrain", "stochastic_row_jacobian__"};

void add_log_jacobian(CallContext& c, const Value& v) {
  if (!c.jacobian) return;
  if (c.recorder) return add_to_target(*c.recorder, v);
  if (!c.target) return;
  for (std::uint32_t k = 0; k < scalar_count(v); ++k) *c.target += element_value(c, v, k);
}

/// Bounds that do not fit are an error even if there is nothing between them.
void check_bounds(CallContext& c, const NamedMap& constrain, Args a) {
  if (scalar_count(a[0]) > 0) return;
  std::vector<Value> one(a.begin(), a.end());
  one[0] = 0.0;
  for (const Value& v : one)
    if (!v.shape().is_scalar()) return;
  constrain(c, one);
}

template <const Elementwise& T>
Value elementwise_constrain(CallContext& c, Name, Args a) {
  static const NamedMap kConstrain(T.constrain);
  check_bounds(c, kConstrain, a);
  return kConstrain(c, a);
}

template <const Elementwise& T>
Value elementwise_jacobian(CallContext& c, Name name, Args a) {
  static const NamedMap kLogJacobian(T.log_jacobian);
  add_log_jacobian(c, kLogJacobian(c, a));
  return elementwise_constrain<T>(c, name, a);
}

template <const Structured& T>
Value structured_jacobian(CallContext& c, Name, Args a) {
  static const NamedKernel kConstrain(T.constrain), kJacobian(T.jacobian);
  const Shape shape = kConstrain.result_shape(c, a);
  const Value both = kJacobian(c, a);
  const std::uint32_t last = shape.size();
  add_log_jacobian(c, pick(c, Shape::scalar(), {&both, 1}, {&last, 1}));
  return pick(c, shape, {&both, 1}, one_after_the_other(shape.size()));
}

constexpr FunctionRow kRows[] = {
    {"lower_upper_bound_constrain", elementwise_constrain<kLowerUpper>},
    {"offset_multiplier_constrain", elementwise_constrain<kOffsetMultiplier>},
    {"lower_bound_jacobian", elementwise_jacobian<kLower>},
    {"upper_bound_jacobian", elementwise_jacobian<kUpper>},
    {"lower_upper_bound_jacobian", elementwise_jacobian<kLowerUpper>},
    {"offset_multiplier_jacobian", elementwise_jacobian<kOffsetMultiplier>},
    {"ordered_jacobian", structured_jacobian<kOrdered>},
    {"positive_ordered_jacobian", structured_jacobian<kPositiveOrdered>},
    {"simplex_jacobian", structured_jacobian<kSimplex>},
    {"simplex_stick_breaking_jacobian", structured_jacobian<kStickBreaking>},
    {"unit_vector_jacobian", structured_jacobian<kUnitVector>},
    {"sum_to_zero_jacobian", structured_jacobian<kSumToZero>},
    {"cholesky_factor_corr_jacobian", structured_jacobian<kCholeskyCorr>},
    {"cholesky_factor_cov_jacobian", structured_jacobian<kCholeskyCov>},
    {"corr_matrix_jacobian", structured_jacobian<kCorrMatrix>},
    {"cov_matrix_jacobian", structured_jacobian<kCovMatrix>},
    {"stochastic_column_jacobian", structured_jacobian<kStochasticColumn>},
    {"stochastic_row_jacobian", structured_jacobian<kStochasticRow>},
};

}  // namespace

std::span<const FunctionRow> transform_functions() { return kRows; }

}  // namespace fermiac::interp
