#include "interp/model/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "support/base/check.h"
#include "support/base/errors.h"
#include "support/base/memory.h"

namespace fermiac::interp {
namespace {

/// Calls visit(offset, index) for every element of an array, the first index fastest.
template <class Visit>
void first_index_fastest(const Shape& array, Visit visit) {
  std::array<std::uint32_t, Shape::kMaxRank> at{};
  const std::uint32_t n = array.count();
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint32_t offset = 0;
    for (int k = 0; k < array.rank; ++k) offset = offset * array.array_dims[k] + at[k];
    visit(offset, at);
    for (int k = 0; k < array.rank && ++at[k] == array.array_dims[k]; ++k) at[k] = 0;
  }
}

Shape array_shape(const ExpectedType& type) {
  Shape s;
  for (std::size_t k = type.array_dims.size(); k-- > 0;) s = Shape::array(type.array_dims[k], s);
  return s;
}

/// Calls visit(offset) with the offsets of scalars in output order: elements of an array vary faster than what is in them.
template <class Visit>
void output_order(const Shape& shape, Visit visit) {
  const std::uint32_t inner = shape.inner_size();
  for (std::uint32_t c = 0; c < inner; ++c)
    first_index_fastest(shape, [&](std::uint32_t element, const auto& at) { visit(element * inner + c, c, at); });
}

std::string index_suffix(const Shape& shape, std::uint32_t within, const std::array<std::uint32_t, Shape::kMaxRank>& at) {
  std::string text;
  for (int k = 0; k < shape.rank; ++k) text += "." + std::to_string(at[k] + 1);
  if (shape.inner == ad::Inner::Matrix) {
    text += "." + std::to_string(within % shape.rows + 1) + "." + std::to_string(within / shape.rows + 1);
  } else if (shape.inner != ad::Inner::Scalar) {
    text += "." + std::to_string(within + 1);
  }
  return text;
}

}  // namespace

std::size_t number_count(const ExpectedType& type) {
  if (type.base != BaseType::Tuple) return type.shape().size();
  std::size_t n = 0;
  for (const ExpectedType& slot : type.slots) n += number_count(slot);
  return ad::saturated_product({n, array_shape(type).count()});
}

void append_names(const std::string& name, const ExpectedType& type, std::vector<std::string>& out) {
  if (type.base == BaseType::Tuple) {
    const Shape array = array_shape(type);
    first_index_fastest(array, [&](std::uint32_t, const auto& at) {
      const std::string element = name + index_suffix(array, 0, at);
      for (std::size_t i = 0; i < type.slots.size(); ++i)
        append_names(element + ":" + std::to_string(i + 1), type.slots[i], out);
    });
    return;
  }
  const Shape shape = type.shape();
  ad::memory_point(shape.size() * sizeof(std::string));
  output_order(shape, [&](std::uint32_t, std::uint32_t within, const auto& at) {
    const std::string scalar = name + index_suffix(shape, within, at);
    if (!shape.complex) {
      out.push_back(scalar);
    } else {
      out.push_back(scalar + ".real");
      out.push_back(scalar + ".imag");
    }
  });
}

std::vector<std::uint32_t> output_offsets(const ExpectedType& type) {
  std::vector<std::uint32_t> out;
  output_order(type.shape(), [&](std::uint32_t offset, std::uint32_t, const auto&) { out.push_back(offset); });
  return out;
}

namespace {

/// Of one dimension of elements or of one element: they stand in memory as they go out.
bool is_in_output_order(const Shape& shape) { return shape.rank == 0 || (shape.rank == 1 && shape.inner_size() == 1); }

double* write_reals(const Shape& shape, const double* from, double* out) {
  if (is_in_output_order(shape)) return std::copy_n(from, shape.size(), out);
  output_order(shape, [&](std::uint32_t offset, std::uint32_t, const auto&) {
    if (shape.complex) {
      *out++ = from[2 * offset];
      *out++ = from[2 * offset + 1];
    } else {
      *out++ = from[offset];
    }
  });
  return out;
}

}  // namespace

double* write_value(const Value& value, double* out) {
  switch (value.kind()) {
    case Value::Kind::Int: *out++ = value.as_int(); return out;
    case Value::Kind::Real: *out++ = value.as_real(); return out;
    case Value::Kind::Ints:
      output_order(value.shape(), [&](std::uint32_t offset, std::uint32_t, const auto&) { *out++ = value.int_data()[offset]; });
      return out;
    case Value::Kind::Reals: return write_reals(value.shape(), value.real_data().data(), out);
    case Value::Kind::Tuple:
      for (const Value& slot : value.values()) out = write_value(slot, out);
      return out;
    case Value::Kind::Tuples:
      first_index_fastest(value.shape(),
                          [&](std::uint32_t offset, const auto&) { out = write_value(value.values()[offset], out); });
      return out;
    default: FERMIAC_CHECK(false, "output variables have plain values");
  }
}

namespace {

std::int32_t as_int(double x) {
  const bool is_int = x == std::trunc(x) && std::fabs(x) <= std::numeric_limits<std::int32_t>::max();
  if (!is_int) throw ad::DomainError(fmt::format("the value {} of an int variable is not an int", x));
  return static_cast<std::int32_t>(x);
}

/// Of a type that is not a tuple.
Value read_numbers(const ExpectedType& type, const double*& in) {
  const Shape shape = type.shape();
  RealBuffer numbers(shape.size());
  const std::uint32_t width = shape.complex ? 2 : 1;
  output_order(shape, [&](std::uint32_t offset, std::uint32_t, const auto&) {
    for (std::uint32_t k = 0; k < width; ++k) numbers[offset * width + k] = *in++;
  });
  if (type.base != BaseType::Int) return Value::reals(shape, std::move(numbers));
  std::vector<std::int32_t> ints(shape.size());
  for (std::size_t i = 0; i < ints.size(); ++i) ints[i] = as_int(numbers[i]);
  return Value::ints(shape, std::move(ints));
}

}  // namespace

Value read_value(const ExpectedType& type, const double*& in) {
  if (type.base != BaseType::Tuple) return read_numbers(type, in);
  const Shape array = array_shape(type);
  std::vector<Value> elements = filled<Value>(array.count());
  first_index_fastest(array, [&](std::uint32_t offset, const auto&) {
    std::vector<Value> slots;
    for (const ExpectedType& slot : type.slots) slots.push_back(read_value(slot, in));
    elements[offset] = Value::tuple(std::move(slots));
  });
  return type.array_dims.empty() ? elements[0] : Value::tuples(array, std::move(elements));
}

}  // namespace fermiac::interp
