// Values of declared types before anything is assigned to them, the errors of sizes, and literals of containers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "frontend/types.h"
#include "interp/value/value.h"

namespace fermiac::ad {
class Recorder;
}

namespace fermiac::interp {

/// Throws SizeError where the size is negative.
std::uint32_t declared_size(std::int32_t n);
/// Sizes as declared: `rows` of vectors and matrices, `cols` of row vectors and matrices, array dimensions outermost first.
Shape declared_shape(BaseType base, std::span<const std::uint32_t> array_dims, std::uint32_t rows, std::uint32_t cols);
/// The smallest int everywhere, or NaN. Not of tuples.
Value unset_value(BaseType base, const Shape& shape);
/// Throws SizeError unless a variable of this shape may begin with the value; one without elements takes any.
void check_declared(std::string_view name, const Shape& declared, const Value& value);

/// What a size must be at least: 0, 1 of a simplex, 2 of a unit vector. `text` is the size as the program has it.
[[noreturn]] void fail_size(std::int32_t least, std::string_view name, std::string_view text, std::int32_t n);

// ---- literals of containers: values one after the other; `recorder` may be null where nothing carries derivatives

/// `{a, b, …}`. Throws SizeError where the shapes differ.
Value join_array(std::vector<Value> items, ad::Recorder* recorder);
/// `[a, b, …]`: a row vector of scalars, or a matrix of rows.
Value join_row(std::vector<Value> items, bool matrix, bool complex, ad::Recorder* recorder);

}  // namespace fermiac::interp
