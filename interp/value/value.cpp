#include "interp/value/value.h"

#include <algorithm>
#include <memory>

#include "support/base/check.h"

namespace fermiac::interp {

Value Value::boxed_value(Kind kind, Shape shape) {
  Value v;
  v.payload_.box = new Box;  // before the kind: a value that has none yet owns nothing
  v.kind_ = kind;
  v.payload_.box->shape = shape;
  return v;
}

Value Value::ints(Shape shape, std::vector<std::int32_t> values) {
  FERMIAC_CHECK(values.size() == shape.size(), "as many ints as the shape says");
  if (shape.is_scalar()) return values[0];
  Value v = boxed_value(Kind::Ints, shape);
  v.payload_.box->ints = std::move(values);
  v.payload_.box->numbers = v.payload_.box->ints.data();
  return v;
}

Value Value::reals(Shape shape, RealBuffer values) {
  FERMIAC_CHECK(values.size() == shape.size(), "as many numbers as the shape says");
  if (shape.is_scalar() && !shape.complex) return values[0];
  Value v = boxed_value(Kind::Reals, shape);
  v.payload_.box->reals = std::move(values);
  v.payload_.box->numbers = v.payload_.box->reals.data();
  return v;
}

Value Value::reals(Shape shape, double fill) {
  return reals(shape, RealBuffer(shape.size(), fill));
}

Value Value::refs(Shape shape, std::vector<Ref> values) {
  FERMIAC_CHECK(values.size() == shape.size(), "as many references as the shape says");
  if (shape.is_scalar() && !shape.complex) return reference(values[0]);
  Value v = boxed_value(Kind::Refs, shape);
  v.payload_.box->refs = std::move(values);
  v.payload_.box->numbers = v.payload_.box->refs.data();
  return v;
}

Value Value::tuple(std::vector<Value> slots) {
  Value v = boxed_value(Kind::Tuple, {});
  v.payload_.box->values = std::move(slots);
  return v;
}

Value Value::tuples(Shape shape, std::vector<Value> elements) {
  FERMIAC_CHECK(elements.size() == shape.count(), "as many tuples as the shape says");
  Value v = boxed_value(Kind::Tuples, shape);
  v.payload_.box->values = std::move(elements);
  return v;
}

Value Value::complex(double re, double im) {
  RealBuffer parts(2);
  parts[0] = re;
  parts[1] = im;
  return reals(Shape{.complex = true}, std::move(parts));
}

void Value::release() {
  Box* box = payload_.box;
  // The only owner needs no atomic subtraction: nobody else can get at the box any more.
  if (box->owners.load(std::memory_order_acquire) == 1 || box->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete box;
}

std::size_t Value::bytes() const {
  const Box& box = *payload_.box;
  return box.ints.size() * sizeof(std::int32_t) + box.reals.size() * sizeof(double) + box.refs.size() * sizeof(Ref) +
         box.values.size() * sizeof(Value);
}

void Value::copy_box() {
  auto copy = std::make_unique<Box>();
  ad::memory_point(bytes());
  copy->shape = payload_.box->shape;
  copy->ints = payload_.box->ints;
  copy->reals = payload_.box->reals;
  copy->refs = payload_.box->refs;
  copy->values = payload_.box->values;
  copy->numbers = kind_ == Kind::Ints    ? static_cast<void*>(copy->ints.data())
                  : kind_ == Kind::Reals ? static_cast<void*>(copy->reals.data())
                                         : static_cast<void*>(copy->refs.data());
  release();
  payload_.box = copy.release();
}

bool Value::is_autodiff() const {
  switch (kind_) {
    case Kind::Ref:
    case Kind::Refs: return true;
    case Kind::Tuple:
    case Kind::Tuples: return std::ranges::any_of(values(), &Value::is_autodiff);
    default: return false;
  }
}

}  // namespace fermiac::interp
