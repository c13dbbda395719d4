#include "interp/value/numbers.h"

#include <fmt/format.h>

#include <cstring>

#include "autodiff/tape/record/recorder.h"
#include "support/base/check.h"
#include "support/base/errors.h"

namespace fermiac::interp {

using Kind = Value::Kind;

ad::Ref to_ref(ad::Recorder& recorder, const Value& scalar) {
  return is_ref(scalar) ? scalar.as_ref() : recorder.constant(number(scalar));
}

Value to_refs(ad::Recorder& recorder, const Value& container) {
  if (container.kind() == Kind::Refs) return container;
  if (container.kind() == Kind::Ints) return to_refs(recorder, promoted(container, BaseType::Real, nullptr));
  FERMIAC_CHECK(container.kind() == Kind::Reals, "only containers of reals become containers of references");
  const RealBuffer& numbers = container.real_data();
  std::vector<ad::Ref> refs = filled<ad::Ref>(numbers.size());
  for (std::size_t i = 0; i < refs.size(); ++i) {
    // Runs of one number (a fresh declaration is all NaN) need one look-up.
    const bool repeats = i > 0 && std::memcmp(&numbers.data()[i], &numbers.data()[i - 1], sizeof(double)) == 0;
    refs[i] = repeats ? refs[i - 1] : recorder.constant(numbers[i]);
  }
  return Value::refs(container.shape(), std::move(refs));
}

Value without_refs(const ad::Recorder* recorder, const Value& value) {
  switch (value.kind()) {
    case Kind::Ref: return recorder->value(value.as_ref());
    case Kind::Refs: {
      const auto& refs = value.ref_data();
      RealBuffer numbers(refs.size());
      for (std::size_t i = 0; i < refs.size(); ++i) numbers[i] = recorder->value(refs[i]);
      return Value::reals(value.shape(), std::move(numbers));
    }
    case Kind::Tuple:
    case Kind::Tuples: {
      if (!value.is_autodiff()) return value;
      std::vector<Value> parts;
      for (const Value& part : value.values()) parts.push_back(without_refs(recorder, part));
      return value.kind() == Kind::Tuple ? Value::tuple(std::move(parts)) : Value::tuples(value.shape(), std::move(parts));
    }
    default: return value;
  }
}

namespace {

Value to_real(Value value) {
  if (value.kind() == Kind::Int) return static_cast<double>(value.as_int());
  if (value.kind() != Kind::Ints) return value;
  const auto& ints = value.int_data();
  RealBuffer numbers(ints.size());
  for (std::size_t i = 0; i < ints.size(); ++i) numbers[i] = ints[i];
  return Value::reals(value.shape(), std::move(numbers));
}

Value to_complex(Value value, ad::Recorder* recorder) {
  value = to_real(std::move(value));
  if (value.kind() == Kind::Real) return Value::complex(value.as_real(), 0);
  Shape shape = value.shape();
  if (shape.complex) return value;
  shape.complex = true;
  if (value.kind() == Kind::Ref) return Value::refs(shape, {value.as_ref(), recorder->constant(0)});
  if (value.kind() == Kind::Refs) {
    std::vector<ad::Ref> parts;
    for (const ad::Ref re : value.ref_data()) parts.insert(parts.end(), {re, recorder->constant(0)});
    return Value::refs(shape, std::move(parts));
  }
  RealBuffer parts(shape.size());
  for (std::size_t i = 0; i < value.real_data().size(); ++i) parts[2 * i] = value.real_data()[i];
  return Value::reals(shape, std::move(parts));
}

}  // namespace

Value promoted(Value value, const Type& scalar, ad::Recorder* recorder) {
  if (value.kind() == Kind::Tuple) {
    std::vector<Value> slots = value.values();
    for (std::size_t i = 0; i < slots.size(); ++i) {
      slots[i] = promoted(std::move(slots[i]), scalar.slots()[i], recorder);
    }
    return Value::tuple(std::move(slots));
  }
  if (value.kind() == Kind::Tuples) {
    std::vector<Value> elements = value.values();
    for (Value& element : elements) element = promoted(std::move(element), scalar, recorder);
    return Value::tuples(value.shape(), std::move(elements));
  }
  if (scalar.base() == BaseType::Int) return value;
  return is_complex(scalar.base()) ? to_complex(std::move(value), recorder) : to_real(std::move(value));
}

double sum_of(const Value& v) {
  double sum = 0;
  switch (v.kind()) {
    case Kind::Ints:
      for (const std::int32_t x : v.int_data()) sum += x;
      return sum;
    case Kind::Reals:
      for (std::size_t i = 0; i < v.real_data().size(); ++i) sum += v.real_data()[i];
      return sum;
    default: return number(v);
  }
}

void put_number(Value& value, std::uint32_t offset, double x) {
  if (value.kind() == Kind::Int) value = static_cast<std::int32_t>(x);
  else if (value.kind() == Kind::Ints) value.mutable_ints()[offset] = static_cast<std::int32_t>(x);
  else if (value.kind() == Kind::Real) value = x;
  else value.mutable_reals()[offset] = x;
}

std::string shape_text(const Value& value) {
  if (value.kind() == Kind::Tuple) return "tuple";
  if (value.kind() == Kind::Tuples) return fmt::format("array of {} tuples", value.values().size());
  return value.shape().str();
}

void check_assignable(std::string_view name, const Value& old, const Value& fresh) {
  if (old.is_none()) return;
  if (old.kind() == Kind::Tuple) {
    for (std::size_t i = 0; i < old.values().size(); ++i)
      check_assignable(fmt::format("{}.{}", name, i + 1), old.values()[i], fresh.values()[i]);
    return;
  }
  const Shape was = old.shape();
  const Shape is = fresh.shape();
  if (was == is || was.scalars() == 0) return;
  throw ad::SizeError(fmt::format("assigning variable {}: the variable is declared as {}, but the assigned value is {}",
                                  name, shape_text(old), shape_text(fresh)));
}

}  // namespace fermiac::interp
