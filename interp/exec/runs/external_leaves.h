// Between values of the language and numbers as a user's header gets and gives them (codegen/runtime/external.h). Tuples go there and
// back slot by slot: as their leaves, which are numbers and containers of numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/runtime/external_abi.h"
#include "frontend/types.h"
#include "interp/exec/runs/code.h"
#include "interp/exec/runs/node.h"
#include "interp/value/value.h"

namespace fermiac::interp {

/// Sizes of an operand, as ExternalNumbers have them.
std::vector<std::uint32_t> dims_of(const Shape& shape);
/// A leaf of that type.
Value value_of(const Type& type, const native::ExternalNumbers& x);

/// None of `void`.
std::vector<Type> leaves_of(const Type& type);
std::vector<Value> leaves_of(const Value& value);
/// The value of that type with these leaves.
Value joined(const Type& type, const std::vector<Value>& leaves);

bool holds_ints(const Value& leaf);
/// How many reals a leaf has.
std::size_t real_count(const Value& leaf);

/// Reads the arguments of the call from the frame and leaves the result there. Where derivatives are recorded the call is one
/// operation on the tape, which the header's function evaluates forward and, over its own kind of number, backwards. Both
/// functions outlive the node.
StmtPtr make_external_body(const FunctionCode& function, const native::ExternalFunction& external);

}  // namespace fermiac::interp
