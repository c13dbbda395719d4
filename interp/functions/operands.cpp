#include "interp/functions/operands.h"

#include <algorithm>
#include <numeric>

#include "support/base/errors.h"

namespace fermiac::interp {

// ---- plain numbers

PlainMapOperands::PlainMapOperands(std::uint32_t n, Args values) {
  args_.n = n;
  for (std::size_t j = 0; j < values.size(); ++j) {
    const Value& v = values_[j] = to_reals(values[j]);
    if (v.kind() == Value::Kind::Real) {
      scalars_[j] = v.as_real();
      args_.x[j] = &scalars_[j];
    } else {
      args_.x[j] = v.real_data().data();
      args_.vector_mask |= static_cast<std::uint16_t>(1u << j);
    }
  }
}

namespace {

/// Scalars are kept in `real` or `integer`.
ad::KernelArg plain_operand(const Value& v, double& real, std::int32_t& integer) {
  switch (v.kind()) {
    case Value::Kind::Int: integer = v.as_int(); return {.i = &integer};
    case Value::Kind::Real: real = v.as_real(); return {.v = &real};
    case Value::Kind::Ints: return {.shape = v.shape(), .i = v.int_data().empty() ? &integer : v.int_data().data()};
    case Value::Kind::Reals: return {.shape = v.shape(), .v = v.real_data().data()};
    default: throw ad::FatalError("a tuple cannot be an operand of a numeric function");
  }
}

}  // namespace

PlainKernelOperands::PlainKernelOperands(Args values) : numbers_(values.size()), in_(values.size()) {
  for (std::size_t j = 0; j < values.size(); ++j)
    in_[j] = plain_operand(values[j], numbers_[j].real, numbers_[j].integer);
}

void PlainValues::settle(const CallContext& context) {
  own_.reserve(args_.size());
  for (const Value& v : args_) own_.push_back(without_derivatives(context, v));
  args_ = own_;
}

// ---- on a recording

bool depends(const Value& v) {
  const auto varies = [](Ref r) { return !r.is_constant(); };
  if (v.kind() == Value::Kind::Ref) return varies(v.as_ref());
  return v.kind() == Value::Kind::Refs && std::ranges::any_of(v.ref_data(), varies);
}

bool records(const CallContext& context, Args args) {
  return context.recorder != nullptr && std::ranges::any_of(args, depends);
}

namespace {

ad::Operand constant_operand(ad::Recorder& recorder, const RealBuffer& numbers) {
  return {recorder.constant_block(numbers.data(), static_cast<std::uint32_t>(numbers.size())), true};
}

ad::Operand record_refs(ad::Recorder& recorder, const std::vector<Ref>& refs) {
  if (!std::ranges::all_of(refs, &Ref::is_constant)) return {recorder.gather(refs), true, true};
  RealBuffer numbers(refs.size());
  for (std::size_t k = 0; k < refs.size(); ++k) numbers[k] = recorder.value(refs[k]);
  return constant_operand(recorder, numbers);
}

}  // namespace

ad::Operand record_operand(ad::Recorder& recorder, const Value& v) {
  switch (v.kind()) {
    case Value::Kind::Int: return {recorder.constant(v.as_int())};
    case Value::Kind::Real: return {recorder.constant(v.as_real())};
    case Value::Kind::Ref: return {v.as_ref(), false, !v.as_ref().is_constant()};
    case Value::Kind::Ints: return constant_operand(recorder, to_reals(v).real_data());
    case Value::Kind::Reals: return constant_operand(recorder, v.real_data());
    default: return record_refs(recorder, v.ref_data());
  }
}

namespace {

constexpr std::int32_t kNoInts[1] = {};

ad::KernelOperand record_kernel_operand(ad::Recorder& recorder, const Value& v) {
  if (v.kind() == Value::Kind::Ints)
    return {.shape = v.shape(), .ints = v.int_data().empty() ? kNoInts : v.int_data().data()};
  if (v.kind() == Value::Kind::Refs && depends(v)) return {.shape = v.shape(), .autodiff = true, .list = v.ref_data()};
  const ad::Operand o = record_operand(recorder, v);
  return {.shape = v.shape(), .ref = o.ref, .autodiff = o.autodiff};
}

}  // namespace

RecordedOperands::RecordedOperands(ad::Recorder& recorder, Args values) {
  integers_.reserve(values.size());
  operands_.reserve(values.size());
  for (const Value& v : values) {
    if (v.kind() == Value::Kind::Int) operands_.push_back({.ints = &integers_.emplace_back(v.as_int())});
    else operands_.push_back(record_kernel_operand(recorder, v));
  }
}

Value reference_block(const Shape& shape, Ref first) {
  if (shape.is_scalar() && !shape.complex) return Value::reference(first);
  std::vector<Ref> refs = filled<Ref>(shape.size());
  std::iota(refs.begin(), refs.end(), first);
  return Value::refs(shape, std::move(refs));
}

}  // namespace fermiac::interp
