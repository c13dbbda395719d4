// Ends an evaluation outside the domain of a map.
#pragma once

#include "autodiff/kernels/map_op.h"

namespace fermiac::ad {

/// explain_domain(), which finds the rule that is broken; a map that breaks none has left its domain all the same.
[[noreturn]] void fail_domain(const MapOp& op, const MapArgs& args);
/// The same for scalars x.
[[noreturn]] void fail_domain(const MapOp& op, const double* x);
/// Ends it where scalars x are outside.
inline void check_domain(const MapOp& op, const double* x) {
  if (!op.rules.empty() && !op.valid(x)) [[unlikely]] fail_domain(op, x);
}

}  // namespace fermiac::ad
