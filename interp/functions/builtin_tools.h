// What the tables of built-in functions share: applying maps and kernels to values, and rearranging elements.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "autodiff/kernels/kernel.h"
#include "autodiff/kernels/map_op.h"
#include "interp/functions/call_context.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::ad {
struct MultiRng;
struct RngOp;
}  // namespace fermiac::ad

namespace fermiac::interp {

using Args = std::span<const Value>;

/// One row of a table: a function of the language and what applies it. `name` is passed on for messages.
struct FunctionRow {
  std::string_view name;
  Value (*apply)(CallContext& context, std::string_view name, Args args);
};

std::span<const FunctionRow> arithmetic_functions();
std::span<const FunctionRow> comparison_functions();
std::span<const FunctionRow> shape_functions();
std::span<const FunctionRow> fill_functions();
std::span<const FunctionRow> slice_functions();
std::span<const FunctionRow> order_functions();
std::span<const FunctionRow> reduction_functions();
std::span<const FunctionRow> complex_functions();
std::span<const FunctionRow> tuple_functions();
std::span<const FunctionRow> transform_functions();

// ---- operands

inline bool is_scalar_number(const Value& v) { return v.kind() >= Value::Kind::Int && v.kind() <= Value::Kind::Ref; }
inline bool is_plain_scalar(const Value& v) { return v.kind() == Value::Kind::Int || v.kind() == Value::Kind::Real; }
inline double plain_scalar(const Value& v) { return v.is_int() ? v.as_int() : v.as_real(); }
inline bool is_ints(const Value& v) { return v.kind() == Value::Kind::Int || v.kind() == Value::Kind::Ints; }
inline bool is_complex(const Value& v) { return v.kind() >= Value::Kind::Ints && v.shape().complex; }
bool any_autodiff(Args args);
/// An int argument; a FatalError names the function when it is something else.
std::int32_t int_argument(std::string_view name, Args args, std::size_t i);
/// Whether every argument is an int.
bool all_int(Args args);
/// Element k as a number; of references, what they hold at the recording point.
double element_value(const CallContext& context, const Value& v, std::uint32_t k);
/// A copy without derivatives: the numbers at the recording point, ints as they are.
Value without_derivatives(const CallContext& context, const Value& v);
/// Ints as reals of the same shape; everything else as it is.
Value to_reals(const Value& v);
/// Numbers in `v` from `first` on as ints, for sizes and indexes given as arrays.
std::span<const std::int32_t> int_elements(std::string_view name, Args args, std::size_t i);

// ---- maps and kernels

/// Element-wise with broadcasting; densities sum, cdfs multiply.
Value apply_map(CallContext& context, ad::MapCode code, Args args);
/// What the operands of an element-wise function agree on: a SizeError names two that differ.
Shape elementwise_shape(std::string_view name, Args args);
/// The density straight into target. Null-operand and data-only calls add a constant.
void sink_map(CallContext& context, ad::MapCode code, Args args);
Value apply_kernel(CallContext& context, const ad::Kernel& kernel, std::string_view name, Args args);
void sink_kernel(CallContext& context, const ad::Kernel& kernel, std::string_view name, Args args);
Value apply_rng(CallContext& context, const ad::RngOp& op, Args args);
Value apply_rng(CallContext& context, const ad::MultiRng& op, Args args);

/// A map or kernel looked up by name once: `static const NamedMap kAdd("add");`.
class NamedMap {
 public:
  explicit NamedMap(std::string_view name) : name_(name), code_(ad::find_map(name)) {}
  Value operator()(CallContext& context, Args args) const;
  bool exists() const { return code_ != ad::kNoMap; }

 private:
  std::string name_;
  ad::MapCode code_;
};
class NamedKernel {
 public:
  explicit NamedKernel(std::string_view name) : name_(name), kernel_(ad::find_kernel(name)) {}
  Value operator()(CallContext& context, Args args) const;
  /// What shape the result has, which is not computed.
  Shape result_shape(const CallContext& context, Args args) const;
  bool exists() const { return kernel_ != nullptr; }

 private:
  std::string name_;
  const ad::Kernel* kernel_;
};

/// A function of the language that we do not have yet.
struct NotImplemented : ad::FatalError {
  using ad::FatalError::FatalError;
};
[[noreturn]] void not_implemented(std::string_view name);
/// The kernel of that name on real arguments.
Value real_kernel(CallContext& context, std::string_view name, Args args);
/// The arguments do not fit any overload: a mistake of the caller, for the type checker rejects it.
[[noreturn]] void wrong_arguments(std::string_view name, Args args);

// ---- rearranging

using Index = std::vector<std::uint32_t>;
/// position(k) for k < n: an index list for `pick`.
template <class Position>
Index positions(std::size_t n, Position position) {
  Index index = filled<std::uint32_t>(n);
  ad::each_stoppable(n, [&](std::size_t k) { index[k] = position(static_cast<std::uint32_t>(k)); });
  return index;
}
inline Index one_after_the_other(std::size_t n, std::uint32_t first = 0) {
  return positions(n, [first](std::uint32_t k) { return first + k; });
}

/// The value of shape `out` whose scalar k is scalar index[k] of the sources laid end to end. Ints, reals, references, complex
/// numbers and tuples alike; sources of different kinds are promoted to the widest.
Value pick(CallContext& context, const Shape& out, Args sources, std::span<const std::uint32_t> index);
/// The same scalars in the same order under another shape.
Value reshape(const Value& v, const Shape& shape);
/// Number of scalars (tuples) in a value.
std::uint32_t scalar_count(const Value& v);
/// A size argument: an error that names the function unless it is at least 0.
std::uint32_t size_argument(std::string_view name, std::string_view label, Args args, std::size_t i);
/// An index argument between 1 and `limit`.
std::uint32_t index_argument(std::string_view name, std::string_view label, Args args, std::size_t i, std::uint32_t limit);

}  // namespace fermiac::interp
