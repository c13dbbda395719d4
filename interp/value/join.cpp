// Literals of containers: values one after the other.
#include <fmt/format.h>

#include <algorithm>

#include "interp/value/declare.h"
#include "interp/value/numbers.h"
#include "interp/value/selection.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using ValueKind = Value::Kind;

bool is_refs(const Value& v) { return v.kind() == ValueKind::Ref || v.kind() == ValueKind::Refs; }
bool is_ints(const Value& v) { return v.kind() == ValueKind::Int || v.kind() == ValueKind::Ints; }

void append(std::vector<Ref>& out, const Value& item, ad::Recorder& recorder) {
  if (item.kind() == ValueKind::Reals || item.kind() == ValueKind::Refs) {
    const Value refs = to_refs(recorder, item);
    out.insert(out.end(), refs.ref_data().begin(), refs.ref_data().end());
  } else {
    out.push_back(to_ref(recorder, item));
  }
}
void append(std::vector<std::int32_t>& out, const Value& item) {
  if (item.kind() == ValueKind::Ints) out.insert(out.end(), item.int_data().begin(), item.int_data().end());
  else out.push_back(item.as_int());
}
std::size_t append(RealBuffer& out, std::size_t at, const Value& item) {
  if (item.kind() == ValueKind::Reals) {
    for (std::size_t i = 0; i < item.real_data().size(); ++i) out[at++] = item.real_data()[i];
  } else {
    out[at++] = number(item);
  }
  return at;
}

/// Scalars or containers of one shape. `reals`: even if all are ints.
Value joined(const std::vector<Value>& items, Shape shape, bool reals, ad::Recorder* recorder) {
  if (std::ranges::any_of(items, is_refs)) {
    std::vector<Ref> out;
    out.reserve(shape.size());
    for (const Value& item : items) append(out, item, *recorder);
    return Value::refs(shape, std::move(out));
  }
  if (!reals && std::ranges::all_of(items, is_ints)) {
    std::vector<std::int32_t> out;
    for (const Value& item : items) append(out, item);
    return Value::ints(shape, std::move(out));
  }
  RealBuffer out(shape.size());
  std::size_t at = 0;
  for (const Value& item : items) at = append(out, at, item);
  return Value::reals(shape, std::move(out));
}

void check_equal(const std::vector<Value>& values, const Shape& element) {
  for (const Value& v : values)
    if (v.shape() != element)
      throw ad::SizeError(fmt::format("array literal: an element is {}, but the first one is {}", v.shape().str(), element.str()));
}

Value nested_tuples(const std::vector<Value>& values, std::uint32_t n, const Shape& element) {
  std::vector<Value> all;
  for (const Value& v : values) all.insert(all.end(), v.values().begin(), v.values().end());
  return Value::tuples(Shape::array(n, element), std::move(all));
}

/// Rows behind each other are the transpose, column-major.
Value transposed(const Value& rows, std::uint32_t r, std::uint32_t c) {
  Selection part{.shape = Shape::matrix(r, c), .contiguous = false, .offset = 0, .offsets = {}};
  part.shape.complex = rows.shape().complex;
  for (std::uint32_t j = 0; j < c; ++j)
    for (std::uint32_t i = 0; i < r; ++i) part.offsets.push_back(i * c + j);
  return read(rows, part);
}

}  // namespace

Value join_array(std::vector<Value> items, ad::Recorder* recorder) {
  const auto n = static_cast<std::uint32_t>(items.size());
  const ValueKind kind = items.empty() ? ValueKind::Int : items[0].kind();
  if (kind == ValueKind::Tuple) return Value::tuples(Shape::array(n, {}), std::move(items));
  const Shape element = items.empty() ? Shape{} : items[0].shape();
  check_equal(items, element);
  if (kind == ValueKind::Tuples) return nested_tuples(items, n, element);
  return joined(items, Shape::array(n, element), false, recorder);
}

Value join_row(std::vector<Value> items, bool matrix, bool complex, ad::Recorder* recorder) {
  const auto n = static_cast<std::uint32_t>(items.size());
  Shape shape = Shape::row_vector(n);
  shape.complex = complex;
  if (!matrix) return joined(items, shape, true, recorder);
  const Shape row = items[0].shape();
  check_equal(items, row);
  return transposed(joined(items, Shape::array(n, row), true, recorder), n, row.cols);
}

}  // namespace fermiac::interp
