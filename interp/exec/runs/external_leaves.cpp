#include "interp/exec/runs/external_leaves.h"

#include <algorithm>
#include <utility>

namespace fermiac::interp {
namespace {

Shape shape_of(const Type& type, const std::uint32_t* dims) {
  Shape out;
  out.rank = static_cast<std::uint8_t>(type.array_dims());
  std::copy_n(dims, out.rank, out.array_dims.begin());
  dims += out.rank;
  using enum BaseType;
  const auto is_one_of = [&](BaseType real, BaseType complex) { return type.base() == real || type.base() == complex; };
  out.complex = is_complex(type.base());
  if (is_one_of(Vector, ComplexVector)) out.inner = ad::Inner::Vector, out.rows = dims[0];
  if (is_one_of(RowVector, ComplexRowVector)) out.inner = ad::Inner::RowVector, out.cols = dims[0];
  if (is_one_of(Matrix, ComplexMatrix)) out.inner = ad::Inner::Matrix, out.rows = dims[0], out.cols = dims[1];
  return out;
}

void add_leaves(const Type& type, std::vector<Type>& out) {
  if (type.is(BaseType::Void)) return;
  if (!type.is(BaseType::Tuple)) return out.push_back(type);
  for (const Type& slot : type.slots()) add_leaves(slot, out);
}
void add_leaves(const Value& value, std::vector<Value>& out) {
  if (value.kind() != Value::Kind::Tuple) return out.push_back(value);
  for (const Value& slot : value.values()) add_leaves(slot, out);
}

/// `next` goes behind the leaves that are used.
Value joined(const Type& type, const std::vector<Value>& leaves, std::size_t& next) {
  if (type.is(BaseType::Void)) return {};
  if (!type.is(BaseType::Tuple)) return leaves.at(next++);
  std::vector<Value> slots;
  for (const Type& slot : type.slots()) slots.push_back(joined(slot, leaves, next));
  return Value::tuple(std::move(slots));
}

}  // namespace

std::vector<std::uint32_t> dims_of(const Shape& shape) {
  std::vector<std::uint32_t> out(shape.array_dims.begin(), shape.array_dims.begin() + shape.rank);
  if (shape.inner == ad::Inner::Vector || shape.inner == ad::Inner::Matrix) out.push_back(shape.rows);
  if (shape.inner == ad::Inner::RowVector || shape.inner == ad::Inner::Matrix) out.push_back(shape.cols);
  return out;
}

Value value_of(const Type& type, const native::ExternalNumbers& x) {
  const Shape shape = shape_of(type, x.dims);
  const std::size_t n = shape.size();
  if (type.base() == BaseType::Int) return shape.is_scalar() ? Value(x.ints[0]) : Value::ints(shape, {x.ints, x.ints + n});
  if (shape.is_scalar() && !shape.complex) return x.reals[0];
  RealBuffer numbers(n);
  std::copy_n(x.reals, n, numbers.data());
  return Value::reals(shape, std::move(numbers));
}

std::vector<Type> leaves_of(const Type& type) {
  std::vector<Type> out;
  add_leaves(type, out);
  return out;
}
std::vector<Value> leaves_of(const Value& value) {
  std::vector<Value> out;
  add_leaves(value, out);
  return out;
}
Value joined(const Type& type, const std::vector<Value>& leaves) {
  std::size_t next = 0;
  return joined(type, leaves, next);
}

bool holds_ints(const Value& leaf) { return leaf.kind() == Value::Kind::Int || leaf.kind() == Value::Kind::Ints; }
std::size_t real_count(const Value& leaf) { return holds_ints(leaf) ? 0 : leaf.shape().size(); }

}  // namespace fermiac::interp
