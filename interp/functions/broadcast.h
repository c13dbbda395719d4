// Which elements of its operands a map takes together: what the operands agree on.
#pragma once

#include <cstdint>
#include <string_view>

#include "autodiff/kernels/map_op.h"
#include "interp/functions/builtin_tools.h"

namespace fermiac::interp {

/// Shape and number of the elements of all containers; a scalar if there is none.
struct Broadcast {
  Shape shape;
  std::uint32_t n = 1;
  bool scalar = true;
};

/// A SizeError names two arguments that do not fit.
Broadcast broadcast(const ad::MapOp& op, Args args);

/// The operand with its elements in the order of the others: a nested array beside a matrix becomes columns first.
Value in_order(const CallContext& context, const Value& v, const Broadcast& b);

}  // namespace fermiac::interp
