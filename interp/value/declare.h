// Values of declared types before anything is assigned to them, and the errors of sizes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "frontend/types.h"
#include "interp/value/value.h"

namespace fermiac::interp {

/// Throws SizeError where the size is negative.
std::uint32_t declared_size(std::int32_t n);
/// Sizes as declared: `rows` of vectors and matrices, `cols` of row vectors and matrices, array dimensions outermost first.
Shape declared_shape(BaseType base, std::span<const std::uint32_t> array_dims, std::uint32_t rows, std::uint32_t cols);
/// The smallest int everywhere, or NaN. Not of tuples.
Value unset_value(BaseType base, const Shape& shape);
/// Throws SizeError unless a variable of this shape may begin with the value; one without elements takes any.
void check_declared(std::string_view name, const Shape& declared, const Value& value);

/// Throws the error of a size below `least`: 0, 1 for a simplex, 2 for a unit vector. `text` is the size as written in the program,
/// `type` the keyword of a type with a least size of 1 (empty: unknown).
[[noreturn]] void fail_size(std::int32_t least, std::string_view name, std::string_view text, std::int32_t n, std::string_view type = {});

}  // namespace fermiac::interp
