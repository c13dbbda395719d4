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

/// A nested array beside matrices has its numbers row by row; those of matrices follow each other down the columns.
inline bool is_by_rows(const Value& v, const Broadcast& b) {
  return b.shape.inner == ad::Inner::Matrix && !v.shape().is_scalar() && v.shape().inner == ad::Inner::Scalar &&
         v.shape().rank == b.shape.rank + 2 && b.n > 0;
}
/// The numbers of such an array as matrices of that shape.
Value to_column_major(const CallContext& context, const Value& v, const Shape& matrices);

}  // namespace fermiac::interp
