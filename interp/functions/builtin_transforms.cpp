// The maps between constrained and free values as functions. `…_constrain` and `…_unconstrain` are kernels and maps of their
// own; `…_jacobian` is the constraining map that also adds its log Jacobian to the target.
#include "autodiff/tape/record/recorder.h"
#include "interp/functions/builtin_tools.h"
#include "interp/functions/operands.h"

namespace fermiac::interp {
namespace {

using Name = std::string_view;

std::string stem_of(Name name) { return std::string(name.substr(0, name.size() - std::string_view("_jacobian").size())); }

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

Value elementwise_constrain(CallContext& c, Name name, Args a) {
  const NamedMap constrain(name);
  check_bounds(c, constrain, a);
  return constrain(c, a);
}

Value elementwise_jacobian(CallContext& c, Name name, Args a) {
  const std::string stem = stem_of(name);
  add_log_jacobian(c, NamedMap(stem + "_log_jacobian__")(c, a));
  return elementwise_constrain(c, stem + "_constrain", a);
}

/// Shape of the constrained value.
Shape constrained_shape(const CallContext& c, Name kernel_name, Args a) {
  const ad::Kernel* kernel = ad::find_kernel(kernel_name);
  if (!kernel) not_implemented(kernel_name);
  const PlainValues values(c, a);
  const PlainKernelOperands operands(values.view());
  return ad::checked_plan(*kernel, {.name = kernel_name, .in = operands.view()}).out;
}

/// The kernel gives the numbers of the constrained value, then the log Jacobian.
Value structured_jacobian(CallContext& c, Name name, Args a) {
  const std::string stem = stem_of(name);
  const Shape shape = constrained_shape(c, stem + "_constrain", a);
  const Value both = NamedKernel(stem + "_jacobian__")(c, a);
  const std::uint32_t last = shape.size();
  add_log_jacobian(c, pick(c, Shape::scalar(), {&both, 1}, {&last, 1}));
  return pick(c, shape, {&both, 1}, one_after_the_other(shape.size()));
}

constexpr FunctionRow kRows[] = {
    {"lower_upper_bound_constrain", elementwise_constrain},
    {"offset_multiplier_constrain", elementwise_constrain},
    {"lower_bound_jacobian", elementwise_jacobian},
    {"upper_bound_jacobian", elementwise_jacobian},
    {"lower_upper_bound_jacobian", elementwise_jacobian},
    {"offset_multiplier_jacobian", elementwise_jacobian},
    {"ordered_jacobian", structured_jacobian},
    {"positive_ordered_jacobian", structured_jacobian},
    {"simplex_jacobian", structured_jacobian},
    {"simplex_stick_breaking_jacobian", structured_jacobian},
    {"unit_vector_jacobian", structured_jacobian},
    {"sum_to_zero_jacobian", structured_jacobian},
    {"cholesky_factor_corr_jacobian", structured_jacobian},
    {"cholesky_factor_cov_jacobian", structured_jacobian},
    {"corr_matrix_jacobian", structured_jacobian},
    {"cov_matrix_jacobian", structured_jacobian},
    {"stochastic_column_jacobian", structured_jacobian},
    {"stochastic_row_jacobian", structured_jacobian},
};

}  // namespace

std::span<const FunctionRow> transform_functions() { return kRows; }

}  // namespace fermiac::interp
