// What a device can do with matrices, by kernel: what it takes, what it costs, and the object that does it for one workspace.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "autodiff/kernels/kernel.h"
#include "autodiff/tape/opencl/matrix_desk.h"

namespace fermiac::ad::device {

struct MatrixFormula;

/// A placed call of one workspace, bound to its numbers. What fails is thrown: DeviceFailure, or AskHost where a rule is broken.
class MatrixCall {
 public:
  virtual ~MatrixCall() = default;
  virtual void forward(const KernelCall&, bool /*with_gradient*/) {}
  /// Adds to the adjoints of what it reads.
  virtual void reverse(const KernelCall&) {}
  /// Of what goes straight into target: the value, and adjoints times call.g where they are asked for.
  virtual double fused(const KernelCall&, bool) { return 0; }
  /// Null: the result is no matrix.
  virtual DeviceMatrix* result() { return nullptr; }
};

/// What a call is made with: by operand what another call makes, or null.
struct MatrixCallInfo {
  const KernelCall* call = nullptr;
  std::span<MatrixCall* const> sources;
  bool host_reads = false;
  const MatrixFormula* formula = nullptr;  // of the elements, where that is the call
};

struct MatrixFunction {
  std::string_view kernel;
  std::uint32_t matrices = 0;                                // operands that may lie on the device, bit by bit
  bool needs_source = false;                                 // pays where one of them does, never by itself
  bool (*fits)(const TapeView& tape, const TapeCall& call) = nullptr;
  Work (*work)(const TapeView& tape, const TapeCall& call) = nullptr;  // less the operands that have to be brought there
  std::unique_ptr<MatrixCall> (*make)(MatrixDesk& desk, const MatrixCallInfo& info) = nullptr;
};

/// Those that take the call, the ones that leave more on the device first.
std::vector<const MatrixFunction*> matrix_functions_of(const TapeView& tape, const TapeCall& call);

}  // namespace fermiac::ad::device
