// Element-wise functions of numbers with references, as machine code calls them: scalar results leave their partials on its trail.
#pragma once

#include <cstdint>

#include "autodiff/kernels/map_op.h"
#include "interp/exec/runs/dropping.h"
#include "interp/exec/runs/lent_trail.h"

namespace fermiac::interp {

/// An element-wise function of numbers.
struct JitMap {
  const ad::MapOp& op;
  ad::MapCode code;
  Dropping dropping;

  /// Of numbers without derivatives [op.arity]. Throws DomainError.
  double value(const Frame& f, const double* x) const;
  /// Of operands [op.arity]. Throws DomainError.
  jit::Traced traced(Frame& f, LentTrail& lent, const jit::Traced* x) const;
  /// Adds the same to target.
  void to_target(Frame& f, LentTrail& lent, const jit::Traced* x) const;
};

}  // namespace fermiac::interp
