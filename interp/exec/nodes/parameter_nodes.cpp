// Parameters from free values and back. Element-wise constraints act on all numbers of a parameter at once, so that a
// vector of parameters stays one block; structured ones are kernels.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/transforms/transforms.h"
#include "interp/exec/lowering/compiler.h"
#include "interp/functions/builtin_tools.h"
#include "interp/functions/functions.h"
#include "interp/functions/operands.h"
#include "interp/value/numbers.h"
#include "interp/value/selection.h"
#include "support/base/check.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using ad::Inner;
using ad::Ref;
using mir::TransformKind;
using ValueKind = Value::Kind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// ---------------------------------------------------------------- small tools

/// The same numbers under another shape.
Value shaped(const Value& v, const Shape& shape) {
  switch (v.kind()) {
    case ValueKind::Int:
    case ValueKind::Real: return shape.is_scalar() ? v : Value::reals(shape, number(v));
    case ValueKind::Ref: return shape.is_scalar() ? v : Value::refs(shape, {v.as_ref()});
    case ValueKind::Refs: return Value::refs(shape, v.ref_data());
    case ValueKind::Ints:
    case ValueKind::Reals: return Value::reals(shape, promoted(v, BaseType::Real, nullptr).real_data());
    default: FERMIAC_CHECK(false, "only numbers have another shape");
  }
}

std::uint32_t numbers_in(const Value& v) {
  return v.shape().size();
}

Value flat(const Value& v) {
  return v.shape().is_scalar() && !v.shape().complex ? v : shaped(v, Shape::vector(numbers_in(v)));
}

Value apply(Frame& f, Builtin fn, std::initializer_list<Value> args) {
  CallContext context = f.context(false);
  return LibraryFunction::find(fn)->apply(context, {args.begin(), args.size()});
}

void add_jacobian(Frame& f, const Value& terms) {
  if (!f.m.jacobian) return;
  if (f.recording) return add_to_target(*f.m.recorder, terms);
  if (terms.kind() == ValueKind::Real) {
    f.m.lp += terms.as_real();
    return;
  }
  for (std::size_t i = 0; i < terms.real_data().size(); ++i) f.m.lp += terms.real_data()[i];
}

/// The next n free values as a block.
Value take_free(Frame& f, const Shape& shape) {
  const std::uint32_t n = shape.size();
  const std::uint32_t first = f.m.next_free;
  f.m.next_free += n;
  if (f.recording) {
    std::vector<Ref> refs = filled<Ref>(n);
    std::iota(refs.begin(), refs.end(), Ref::slot(first));
    return Value::refs(shape, std::move(refs));
  }
  FERMIAC_CHECK(f.m.next_free <= f.m.theta.size(), "as many free values as the parameters need");
  RealBuffer numbers(n);
  for (std::uint32_t i = 0; i < n; ++i) numbers[i] = f.m.theta[first + i];
  return Value::reals(shape, std::move(numbers));
}

// ---------------------------------------------------------------- kinds

ad::Transform transform_of(TransformKind kind) {
  switch (kind) {
    case TransformKind::None: return ad::Transform::Identity;
    case TransformKind::Lower: return ad::Transform::LowerBound;
    case TransformKind::Upper: return ad::Transform::UpperBound;
    case TransformKind::LowerUpper: return ad::Transform::LowerUpperBound;
    case TransformKind::Offset:
    case TransformKind::Multiplier:
    case TransformKind::OffsetMultiplier: return ad::Transform::OffsetMultiplier;
    case TransformKind::Ordered: return ad::Transform::Ordered;
    case TransformKind::PositiveOrdered: return ad::Transform::PositiveOrdered;
    case TransformKind::Simplex: return ad::Transform::Simplex;
    case TransformKind::UnitVector: return ad::Transform::UnitVector;
    case TransformKind::SumToZeroVector:
    case TransformKind::SumToZeroMatrix: return ad::Transform::SumToZero;
    case TransformKind::CholeskyCorr: return ad::Transform::CholeskyFactorCorr;
    case TransformKind::CholeskyCov: return ad::Transform::CholeskyFactorCov;
    case TransformKind::Correlation: return ad::Transform::CorrMatrix;
    case TransformKind::Covariance: return ad::Transform::CovMatrix;
    case TransformKind::StochasticColumn: return ad::Transform::StochasticColumn;
    case TransformKind::StochasticRow: return ad::Transform::StochasticRow;
  }
  return ad::Transform::Identity;
}

// ---------------------------------------------------------------- element-wise constraints

/// The operands of an element-wise transform, each one number or one per free value.
struct Bounds {
  Value first, second;
};

bool is_number(const Value& bound) { return bound.kind() == ValueKind::Int || bound.kind() == ValueKind::Real; }
bool is_number(const Value& bound, double what) { return is_number(bound) && number(bound) == what; }
bool is_finite_number(const Value& bound) { return is_number(bound) && std::isfinite(number(bound)); }

Value evaluate_bound(Frame& f, const ExprPtr& bound, double missing) {
  if (!bound) return missing;
  return flat(promoted(bound->eval(f), BaseType::Real, nullptr));
}

Bounds evaluate_bounds(Frame& f, const ParameterNode& p) {
  const bool scale = transform_of(p.transform) == ad::Transform::OffsetMultiplier;
  return {evaluate_bound(f, p.first, scale ? 0 : -kInfinity), evaluate_bound(f, p.second, scale ? 1 : kInfinity)};
}

/// Adds a map of the free values to target as one op.
void sink_of_free(Frame& f, std::string_view map, const Value& y) {
  if (!f.m.jacobian) return;
  const ad::MapCode code = ad::find_map(map);
  if (!f.recording) {
    CallContext context = f.context(false);
    return add_jacobian(f, apply_map(context, code, {&y, 1}));
  }
  const ad::Operand operand = record_operand(*f.m.recorder, y);
  f.m.recorder->sink(code, {&operand, 1}, numbers_in(y));
}

/// log s for every free value: n log s if there is one scale.
void add_log_scale(Frame& f, const Value& y, const Value& scale) {
  if (!f.m.jacobian) return;
  const Value log_scale = apply(f, Builtin::log, {scale});
  if (!scale.shape().is_scalar() || numbers_in(y) == 1) return add_jacobian(f, log_scale);
  add_jacobian(f, apply(f, Builtin::Times, {log_scale, Value(static_cast<double>(numbers_in(y)))}));
}

/// Of finite bounds that are numbers less is left to compute: y itself, or what the unit interval has and a constant.
void add_bounds_jacobian(Frame& f, ad::Transform transform, const Value& y, const Bounds& b, const std::vector<Value>& args) {
  const bool low = transform != ad::Transform::UpperBound, high = transform != ad::Transform::LowerBound;
  CallContext context = f.context(false);
  if ((low && !is_finite_number(b.first)) || (high && !is_finite_number(b.second)) || (low && high && !(number(b.first) < number(b.second))))
    return add_jacobian(f, apply_map(context, ad::find_map(ad::jacobian_name(transform)), args));
  if (!low || !high) return add_jacobian(f, y);
  add_jacobian(f, Value(std::log(number(b.second) - number(b.first)) * static_cast<double>(numbers_in(y))));
  sink_of_free(f, "logit_jacobian__", y);
}

Value by_map(Frame& f, ad::Transform transform, const Value& y, const Bounds& b) {
  std::vector<Value> args = {y};
  if (transform != ad::Transform::UpperBound) args.push_back(b.first);
  if (transform != ad::Transform::LowerBound) args.push_back(b.second);
  CallContext context = f.context(false);
  if (transform == ad::Transform::OffsetMultiplier) {
    add_log_scale(f, y, b.second);
  } else if (f.m.jacobian) {
    add_bounds_jacobian(f, transform, y, b, args);
  }
  return apply_map(context, ad::find_map(ad::constrain_name(transform)), args);
}

/// The frequent cases by themselves, everything else by the map that knows infinite bounds and checks them.
Value elementwise(Frame& f, TransformKind kind, const Value& y, const Bounds& b) {
  const bool open_below = is_number(b.first, -kInfinity);
  const bool open_above = is_number(b.second, kInfinity);
  const ad::Transform transform = transform_of(kind);
  if (transform == ad::Transform::OffsetMultiplier) {
    if (!is_number(b.second, 1)) return by_map(f, transform, y, b);
    return is_number(b.first, 0) ? y : apply(f, Builtin::Plus, {y, b.first});
  }
  if (open_below && open_above) return y;
  if (open_above && is_number(b.first, 0)) {
    add_jacobian(f, y);
    return apply(f, Builtin::exp, {y});
  }
  if (is_number(b.first, 0) && is_number(b.second, 1)) {
    sink_of_free(f, "logit_jacobian__", y);
    return apply(f, Builtin::inv_logit, {y});
  }
  if (open_above) return by_map(f, ad::Transform::LowerBound, y, b);
  return by_map(f, open_below ? ad::Transform::UpperBound : ad::Transform::LowerUpperBound, y, b);
}

// ---------------------------------------------------------------- structured constraints

/// The sizes that the kernel cannot tell from the free values.
void append_sizes(std::vector<Value>& args, ad::Transform transform, const Shape& shape) {
  using ad::Transform;
  const bool square =
      transform == Transform::CholeskyFactorCorr || transform == Transform::CorrMatrix || transform == Transform::CovMatrix;
  if (square || transform == Transform::CholeskyFactorCov) args.push_back(static_cast<std::int32_t>(shape.rows));
  if (transform == Transform::CholeskyFactorCov) args.push_back(static_cast<std::int32_t>(shape.cols));
}

/// All but the last number, under the given shape.
Value without_last(const Value& v, const Shape& shape) {
  const Selection part{.shape = shape, .contiguous = true, .offset = 0, .offsets = {}};
  return read(v, part);
}

Value constrain_structured(Frame& f, const ParameterNode& p, const Shape& shape) {
  const ad::Transform transform = transform_of(p.transform);
  std::vector<Value> args = {take_free(f, ad::free_shape(transform, p.name, shape))};
  if (shape.size() == 0) return Value::reals(shape, 0.0);
  append_sizes(args, transform, shape);
  const std::string_view name = f.m.jacobian ? ad::jacobian_name(transform) : ad::constrain_name(transform);
  CallContext context = f.context(false);
  const Value all = apply_kernel(context, *ad::find_kernel(name), name, args);
  if (!f.m.jacobian) return all;
  add_jacobian(f, read_scalar(all, shape.size()));
  return without_last(all, shape);
}

bool is_elementwise(TransformKind kind) {
  return kind <= TransformKind::OffsetMultiplier;
}

/// Calls visit(offset) for every element of an array, the first index fastest.
template <class Visit>
void first_index_fastest(const Shape& array, Visit visit) {
  const std::uint32_t n = array.count();
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint32_t rest = i;
    std::array<std::uint32_t, Shape::kMaxRank> at{};
    for (int k = 0; k < array.rank; ++k) {
      at[k] = rest % array.array_dims[k];
      rest /= array.array_dims[k];
    }
    std::uint32_t offset = 0;
    for (int k = 0; k < array.rank; ++k) offset = offset * array.array_dims[k] + at[k];
    visit(offset);
  }
}

Value constrain_tuple(Frame& f, const ParameterNode& p) {
  std::vector<Value> slots;
  for (const ParameterNode& slot : p.slots) slots.push_back(constrain_parameter(slot, f));
  return Value::tuple(std::move(slots));
}

}  // namespace

Value constrain_parameter(const ParameterNode& p, Frame& f) {
  const Shape shape = p.type.shape(f);
  if (p.type.base == BaseType::Tuple) {
    if (p.type.array_dims.empty()) return constrain_tuple(f, p);
    std::vector<Value> elements = filled<Value>(shape.count());
    first_index_fastest(shape, [&](std::uint32_t at) { elements[at] = constrain_tuple(f, p); });
    return Value::tuples(shape, std::move(elements));
  }
  if (p.transform == TransformKind::None) return take_free(f, shape);
  if (!is_elementwise(p.transform)) return constrain_structured(f, p, shape);
  const Value free = take_free(f, shape.is_scalar() ? Shape{} : Shape::vector(shape.size()));
  if (shape.size() == 0) return shaped(free, shape);
  return shaped(elementwise(f, p.transform, free, evaluate_bounds(f, p)), shape);
}

// ---------------------------------------------------------------- numbers that are free in part

namespace {

/// The elements of a bound that belong to free numbers.
Value chosen(Frame& f, const Value& bound, const std::vector<std::uint32_t>& free) {
  if (bound.shape().is_scalar()) return bound;
  CallContext context = f.context(false);
  return pick(context, Shape::vector(static_cast<std::uint32_t>(free.size())), {&bound, 1}, free);
}

Bounds chosen(Frame& f, const Bounds& b, const std::vector<std::uint32_t>& free) {
  return {chosen(f, b.first, free), chosen(f, b.second, free)};
}

/// `value` with the numbers at `free` replaced by those of a vector.
Value with_free(Frame& f, const Value& value, const std::vector<std::uint32_t>& free, const Value& numbers) {
  if (value.shape().is_scalar()) return read_scalar(numbers, 0);
  const std::uint32_t n = value.shape().size();
  Index from = one_after_the_other(n);
  for (std::size_t k = 0; k < free.size(); ++k) from[free[k]] = n + static_cast<std::uint32_t>(k);
  const std::array<Value, 2> sources = {value, numbers};
  CallContext context = f.context(false);
  return pick(context, value.shape(), sources, from);
}

}  // namespace

Value constrain_parameter(const ParameterNode& p, Frame& f, const HeldNumbers& held) {
  if (held.free.empty()) return held.value;
  FERMIAC_CHECK(p.slots.empty() && is_elementwise(p.transform), "numbers of structured variables are free together");
  const auto n = static_cast<std::uint32_t>(held.free.size());
  const Value free = take_free(f, Shape::vector(n));
  if (p.transform == TransformKind::None) return with_free(f, held.value, held.free, free);
  return with_free(f, held.value, held.free, elementwise(f, p.transform, free, chosen(f, evaluate_bounds(f, p), held.free)));
}

// ---------------------------------------------------------------- back to free values

namespace {

/// A bound as the transforms want it.
ad::Bound bound_of(const ad::KernelArg& bound) {
  return {.v = bound.v, .scalar = bound.shape.is_scalar()};
}

void append_free(const ParameterNode& p, Frame& f, const Value& all, std::vector<double>& free, const HeldNumbers* held) {
  const ad::Transform transform = transform_of(p.transform);
  const Value value = held ? chosen(f, all, held->free) : all;
  Bounds bounds = evaluate_bounds(f, p);
  if (held) bounds = chosen(f, bounds, held->free);
  if (transform == ad::Transform::UpperBound) std::swap(bounds.first, bounds.second);  // the one bound comes first
  const std::array<Value, 3> reals = {to_reals(value), to_reals(bounds.first), to_reals(bounds.second)};
  const PlainKernelOperands operands(reals);
  const auto in = operands.view();
  const std::size_t before = free.size();
  free.resize(before + ad::free_shape(transform, p.name, value.shape()).size());
  ad::unconstrain(transform, p.name, value.shape(), in[0].v, free.data() + before, bound_of(in[1]), bound_of(in[2]), f.m.rounding);
}

}  // namespace

void unconstrain_parameter(const ParameterNode& p, Frame& f, const Value& value, std::vector<double>& free,
                           const HeldNumbers* held) {
  if (held && held->free.empty()) return;
  if (value.kind() == ValueKind::Tuple) {
    for (std::size_t i = 0; i < p.slots.size(); ++i) unconstrain_parameter(p.slots[i], f, value.values()[i], free);
  } else if (value.kind() == ValueKind::Tuples) {
    first_index_fastest(value.shape(),
                        [&](std::uint32_t at) { unconstrain_parameter(p, f, value.values()[at], free); });
  } else {
    append_free(p, f, value, free, held);
  }
}

namespace {

struct DeclareParameter final : StmtNode {
  DeclareParameter(Site s, std::size_t to, std::size_t i, ParameterNode p)
      : StmtNode(s), slot(to), position(i), parameter(std::move(p)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    f.slots[slot] = value(f);
    return Flow::Next;
  }
  Value value(Frame& f) const {
    if (f.m.given_parameters) return (*f.m.given_parameters)[position];
    const HeldNumbers* held = f.m.held ? (*f.m.held)[position] : nullptr;
    return held ? constrain_parameter(parameter, f, *held) : constrain_parameter(parameter, f);
  }
  std::size_t slot, position;
  ParameterNode parameter;
};

}  // namespace

StmtPtr make_parameter_declaration(Site site, std::size_t slot, std::size_t position, ParameterNode parameter,
                                   const ParameterNode*& kept) {
  auto node = std::make_unique<DeclareParameter>(site, slot, position, std::move(parameter));
  kept = &node->parameter;
  return node;
}

}  // namespace fermiac::interp
