// Conversions between the kinds of values: int to real to complex, numbers to references and back.
#pragma once

#include <string_view>

#include "frontend/types.h"
#include "interp/value/value.h"

namespace fermiac::ad {
class Recorder;
}

namespace fermiac::interp {

/// A scalar number of Kind::Int or Kind::Real.
inline double number(const Value& v) {
  return v.kind() == Value::Kind::Int ? v.as_int() : v.as_real();
}
/// Puts a number at an offset of the layout of a number or of a container of numbers without derivatives.
void put_number(Value& value, std::uint32_t offset, double x);
inline bool is_ref(const Value& v) {
  return v.kind() == Value::Kind::Ref;
}
/// A scalar as a reference.
ad::Ref to_ref(ad::Recorder& recorder, const Value& scalar);
/// A container of reals or ints as a container of references; one that is that already as it is.
Value to_refs(ad::Recorder& recorder, const Value& container);
/// References replaced by their values; `recorder` may be null if there are none.
Value without_refs(const ad::Recorder* recorder, const Value& value);

/// Converts the scalars of a value: int to real, int and real to complex; slots of a tuple each to their own type.
Value promoted(Value value, const Type& scalar, ad::Recorder* recorder);

/// Of a number, or of the numbers in a container; nothing carries derivatives.
double sum_of(const Value& v);

/// Throws SizeError unless `fresh` may replace `old`, whose sizes were declared. A variable without elements takes any.
void check_assignable(std::string_view name, const Value& old, const Value& fresh);
/// "array[3] vector[2]", "tuple" ….
std::string shape_text(const Value& value);

}  // namespace fermiac::interp
