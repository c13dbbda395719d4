// Order and names of output values: parameters, transformed parameters, generated quantities, each column-major over all
// its dimensions, array dimensions included; tuples slot by slot, arrays of tuples element by element.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interp/io/data.h"
#include "interp/value/value.h"

namespace fermiac::interp {

/// Number of doubles a value of this type is written as (a complex number counts twice).
std::size_t number_count(const ExpectedType& type);
/// `x.1.2`, `t:1`, `z.1.real`.
void append_names(const std::string& name, const ExpectedType& type, std::vector<std::string>& out);
/// Offsets of the numbers of a value in the order in which they are written; of a type that is no tuple.
std::vector<std::uint32_t> output_offsets(const ExpectedType& type);
/// Writes the value at `out` and returns the place behind it.
double* write_value(const Value& value, double* out);
/// Reads what write_value wrote, and moves `in` behind it. Throws ad::DomainError if a number of an int variable is not an int, such as NaN.
Value read_value(const ExpectedType& type, const double*& in);

}  // namespace fermiac::interp
