// The matrix operations of one workspace that a device does, in the sweeps of the host.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "autodiff/kernels/kernel.h"
#include "autodiff/tape/opencl/matrix_functions.h"
#include "autodiff/tape/opencl/matrix_plan.h"
#include "autodiff/tape/opencl/use.h"

namespace fermiac::ad::device {

class MatrixRun {
 public:
  /// `calls`, `kernels`: those of the workspace, by call of the tape; v, a: its numbers and adjoints, by place in the arena. All of them have
  /// to outlive this.
  MatrixRun(DeviceUse& use, std::span<const PlacedCall> plan, std::span<const KernelCall> calls, std::span<const Kernel* const> kernels, double* v, double* a);
  /// What the sweeps take instead: placed calls go to the device. Those of formulas stand behind the others.
  const KernelCall* calls() const { return calls_.data(); }
  const Kernel* const* kernels() const { return kernels_.data(); }
  /// Of a weighed call: where its weight is to be written.
  double* weight_of(std::uint32_t call) { return &calls_[call].g; }
  /// Before a sweep forward. Throws DeviceFailure.
  void begin(bool with_gradient);

 private:
  struct Slot {
    MatrixRun* run = nullptr;
    std::unique_ptr<MatrixCall> call;
  };
  static void forward(const KernelCall& call);
  static void reverse(const KernelCall& call);
  static double fused(const KernelCall& call);
  static void forward_of_sink(const KernelCall& call);
  static Slot& slot(const KernelCall& call);
  void prepare();
  void add_formula(const MatrixFormula& formula, double* v, double* a);

  DeviceUse& use_;
  std::span<const PlacedCall> plan_;
  std::vector<KernelCall> calls_;
  std::vector<const Kernel*> kernels_;
  std::unique_ptr<MatrixDesk> desk_;
  std::vector<Slot> slots_;              // by placed call
  std::vector<std::unique_ptr<KernelArg[]>> operands_;  // of formulas
  bool with_gradient_ = false;
};

}  // namespace fermiac::ad::device
