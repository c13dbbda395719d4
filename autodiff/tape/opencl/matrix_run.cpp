#include "autodiff/tape/opencl/matrix_run.h"

#include <algorithm>

#include "autodiff/tape/opencl/matrix_formula.h"

namespace fermiac::ad::device {
namespace {

/// Of operands and results that are matrices, the most numbers that one has on the device.
std::size_t largest(std::span<const PlacedCall> plan, std::span<const KernelCall> calls) {
  std::size_t most = 1;
  const auto note = [&](const Shape& s) {
    if (s.rank == 0) most = std::max(most, std::size_t{whole_blocks(s.rows)} * whole_blocks(s.cols));
  };
  for (const PlacedCall& p : plan) {
    note(calls[p.call].out_shape);
    for (const KernelArg& x : calls[p.call].in) note(x.shape);
  }
  return most;
}

}  // namespace

MatrixRun::Slot& MatrixRun::slot(const KernelCall& call) { return *static_cast<Slot*>(const_cast<void*>(call.context)); }

void MatrixRun::forward(const KernelCall& call) { slot(call).call->forward(call, slot(call).run->with_gradient_); }
void MatrixRun::reverse(const KernelCall& call) { slot(call).call->reverse(call); }
double MatrixRun::fused(const KernelCall& call) { return slot(call).call->fused(call, true); }
void MatrixRun::forward_of_sink(const KernelCall& call) { *call.out = slot(call).call->fused(call, false); }

MatrixRun::MatrixRun(DeviceUse& use, std::span<const PlacedCall> plan, std::span<const KernelCall> calls, std::span<const Kernel* const> kernels, double* v,
                     double* a)
    : use_(use), plan_(plan), calls_(calls.begin(), calls.end()), kernels_(kernels.begin(), kernels.end()), slots_(plan.size()) {
  static constexpr Kernel kCall{.name = "call of a device", .forward = forward, .reverse = reverse};
  static constexpr Kernel kSink{.name = "density of a device", .forward = forward_of_sink, .fused = fused};
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (plan[i].formula) add_formula(*plan[i].formula, v, a);
    slots_[i].run = this;
    calls_[plan[i].call].context = &slots_[i];
    kernels_[plan[i].call] = !plan[i].formula && kernels[plan[i].call]->fused ? &kSink : &kCall;
  }
}

void MatrixRun::add_formula(const MatrixFormula& f, double* v, double* a) {
  KernelArg* const in = operands_.emplace_back(std::make_unique<KernelArg[]>(f.operands.size())).get();
  for (std::size_t j = 0; j < f.operands.size(); ++j) {
    const TapeCallOperand& o = f.operands[j];
    in[j] = {.shape = o.shape, .v = v + o.place, .a = o.autodiff ? a + o.place : nullptr, .autodiff = o.autodiff};
  }
  calls_.push_back({.name = "formula", .in = {in, f.operands.size()}, .out_shape = f.out, .out = v + f.out_place, .out_a = a + f.out_place});
  kernels_.push_back(nullptr);
}

void MatrixRun::prepare() {
  desk_ = std::make_unique<MatrixDesk>(use_, largest(plan_, calls_));
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    std::vector<MatrixCall*> sources;
    for (const std::uint32_t source : plan_[i].sources) sources.push_back(source == PlacedCall::kHost ? nullptr : slots_[source].call.get());
    slots_[i].call = plan_[i].function->make(*desk_, {&calls_[plan_[i].call], sources, plan_[i].host_reads, plan_[i].formula.get()});
  }
}

void MatrixRun::begin(bool with_gradient) {
  with_gradient_ = with_gradient;
  if (!desk_) prepare();
}

}  // namespace fermiac::ad::device
