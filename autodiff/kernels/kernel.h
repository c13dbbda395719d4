// The interface of everything that is not an element-wise map: matrix products, decompositions, multivariate densities,
// reductions. One Kernel is one operation; the plain evaluator and the tape call the same `forward`.
// docs/howto/add-a-function.md walks through one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "autodiff/kernels/propto.h"
#include "autodiff/shape.h"

namespace fermiac::ad {

/// One operand as a kernel sees it: contiguous numbers and, if it carries derivatives, where its adjoints gather.
struct KernelArg {
  Shape shape;
  const double* v = nullptr;        // values, shape.size() of them; null for int operands
  double* a = nullptr;              // adjoints to add to; null for data
  const std::int32_t* i = nullptr;  // int operands, shape.size() of them; always data
  bool autodiff = false;            // known already when planning, where `a` is not yet bound
  double scalar() const { return v[0]; }
};

/// One application. `out`/`out_a` hold out_shape.size() numbers, `scratch` what the plan asked for; scratch keeps its
/// contents from `forward` to `reverse` of the same evaluation.
struct KernelCall {
  std::string_view name;            // for messages
  std::span<const KernelArg> in;
  Shape out_shape;
  double* out = nullptr;
  const double* out_a = nullptr;
  double* scratch = nullptr;
  double g = 1;                     // fused: adjoint of the result
  Propto propto;                    // densities: which summands are dropped
  const void* context = nullptr;    // what the caller gave to Recorder::call: functions of functions
  /// True when a summand that depends on the operands in `mask` (bit j: operand j) must be computed.
  bool keep(unsigned mask) const {
    if (!propto || (mask & propto.counted()) != 0) return true;
    for (std::size_t j = 0; j < in.size(); ++j)
      if ((mask >> j & 1u) && in[j].autodiff) return true;
    return false;
  }
};

struct Plan {
  Shape out;
  std::uint64_t scratch = 0;  // doubles; products of sizes are made in 64 bits, of more than two by saturated_product
};

struct Kernel {
  std::string_view name;
  /// Result shape and scratch size from the operands' shapes, int values and autodiff flags (`v` may be unset). Throws
  /// SizeError/IndexError/DomainError when the shapes do not fit. Runs once per recording.
  Plan (*plan)(const KernelCall& call) = nullptr;
  /// Writes `out`. Throws DomainError naming function, argument, element and value when an operand is outside its domain.
  void (*forward)(const KernelCall& call) = nullptr;
  /// Adds to the adjoints of every operand whose `a` is set. Null when the result never carries derivatives
  /// (then the result of autodiff operands is data, by definition of the function).
  void (*reverse)(const KernelCall& call) = nullptr;
  /// Optional, for kernels with a scalar result that goes straight into target: value and adjoints (times
  /// `g`) in one pass.
  /// Returns the value; `out` is not set.
  double (*fused)(const KernelCall& call) = nullptr;
  /// No numbers make `forward` throw: where nothing reads the result, the call can go.
  bool total = false;
  /// A density or mass function: only these drop summands (KernelCall::propto).
  bool density = false;
};

/// The kernel, marked as total.
constexpr Kernel total(Kernel kernel) {
  kernel.total = true;
  return kernel;
}

/// Plans the call. Result and scratch space fit into what can be addressed: a SizeError otherwise.
Plan checked_plan(const Kernel& kernel, const KernelCall& call);

/// A kernel by name, or null. Names are function names (`cholesky_decompose`, `multi_normal_lpdf`) or internal ones.
const Kernel* find_kernel(std::string_view name);
/// All kernels, for coverage tests.
std::span<const Kernel* const> all_kernels();

}  // namespace fermiac::ad
