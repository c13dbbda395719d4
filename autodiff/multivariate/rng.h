// Random draws of vectors, matrices and categories.
#pragma once

#include <span>
#include <string_view>

#include "autodiff/kernels/kernel.h"
#include "support/base/rng.h"

namespace fermiac::ad {

struct MultiRng {
  std::string_view name;  // "multi_normal_rng"
  /// Shape of a draw. Throws SizeError when the operands do not fit together. Int values are known, reals need not be.
  Shape (*plan)(std::span<const KernelArg> in) = nullptr;
  /// Checks the operands (DomainError) and writes one draw; integers as doubles.
  void (*draw)(Rng& rng, std::span<const KernelArg> in, double* out) = nullptr;
  bool integer_result = false;
};

/// By function name, or null.
const MultiRng* find_multi_rng(std::string_view name);
std::span<const MultiRng> all_multi_rngs();

}  // namespace fermiac::ad
