#include "interp/value/declare.h"

#include <fmt/format.h>

#include <limits>

#include "interp/value/numbers.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

Shape element_shape(BaseType base, std::uint32_t rows, std::uint32_t cols) {
  switch (base) {
    case BaseType::Vector:
    case BaseType::ComplexVector: return Shape::vector(rows);
    case BaseType::RowVector:
    case BaseType::ComplexRowVector: return Shape::row_vector(cols);
    case BaseType::Matrix:
    case BaseType::ComplexMatrix: return Shape::matrix(rows, cols);
    default: return {};
  }
}

}  // namespace

std::uint32_t declared_size(std::int32_t n) {
  if (n < 0) throw ad::SizeError(fmt::format("a declared size is {}, but must not be negative", n));
  return static_cast<std::uint32_t>(n);
}

Shape declared_shape(BaseType base, std::span<const std::uint32_t> array_dims, std::uint32_t rows, std::uint32_t cols) {
  Shape s = element_shape(base, rows, cols);
  s.complex = is_complex(base);
  for (std::size_t k = array_dims.size(); k-- > 0;) s = Shape::array(array_dims[k], s);
  return s;
}

Value unset_value(BaseType base, const Shape& shape) {
  if (base == BaseType::Int) return Value::ints(shape, filled(shape.size(), std::numeric_limits<std::int32_t>::min()));
  return Value::reals(shape, std::numeric_limits<double>::quiet_NaN());
}

void check_declared(std::string_view name, const Shape& declared, const Value& value) {
  if (declared.scalars() == 0 || value.shape() == declared) return;
  throw ad::SizeError(fmt::format("assigning variable {}: the variable is declared as {}, but the assigned value is {}", name,
                                  declared.str(), shape_text(value)));
}

void fail_size(std::int32_t least, std::string_view name, std::string_view text, std::int32_t n, std::string_view type) {
  const std::string in = least == 2 ? "unit vector " : type.empty() ? "" : std::string(type) + " ";
  const std::string problem = least == 0 ? "negative dimension size in variable declaration"
                                         : fmt::format("dimension size less than {} in {}declaration", least == 1 ? "one" : "two", in);
  throw ad::SizeError(
      fmt::format("Found {}; variable={}; dimension size expression={}; expression value={}", problem, name, text, n));
}

}  // namespace fermiac::interp
