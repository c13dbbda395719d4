// Second derivatives of kernels: how fast results change, and the adjoints of operands, when the operands do.
#pragma once

#include "autodiff/kernels/kernel.h"

namespace fermiac::ad {

/// A call behind its `forward`, and what moves. Operands have `v` as the call has them, and as `a` where the speed of their
/// adjoints is added to; null for data.
struct MovingCall {
  const Kernel* kernel;
  KernelCall call;                        // out: the results; out_a: their adjoints (g: of a call whose result goes to target)
  std::span<const double* const> speeds;  // of operands; null of those that stand still
  double* out_speed;                      // of results
  const double* out_a_speed;              // of their adjoints
};

struct CallTangents {
  /// Writes out_speed.
  void (*forward)(const MovingCall& c);
  /// Adds the speed of what `reverse` of the kernel adds.
  void (*reverse)(const MovingCall& c);
};

/// Null where there are none for this kernel and these operands.
const CallTangents* call_tangents(const Kernel* kernel, std::span<const KernelArg> in);

/// Null for other kernels, and where X carries derivatives or is one row for all outcomes.
const CallTangents* linear_model_tangents(const Kernel* kernel, std::span<const KernelArg> in);

}  // namespace fermiac::ad
