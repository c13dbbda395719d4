#include "autodiff/linalg/linear_recurrence.h"

#include "autodiff/linalg/kernel_tools.h"

namespace fermiac::ad {
namespace {

enum Operand { kCoefficient, kStart, kAdditions };

const LinearRecurrenceLoops& loops() { return FERMIAC_FOR_ACTIVE_ISA(kLinearRecurrenceLoops); }

Plan plan(const KernelCall& call) { return {Shape::vector(checked_count(call.in[kAdditions].shape.size() + std::size_t{1}, call.name))}; }

void forward(const KernelCall& call) {
  const KernelArg& c = call.in[kAdditions];
  call.out[0] = *call.in[kStart].v;
  loops().forward(*call.in[kCoefficient].v, c.v, c.shape.size(), call.out);
}

void reverse(const KernelCall& call) {
  const KernelArg &a = call.in[kCoefficient], &start = call.in[kStart], &c = call.in[kAdditions];
  double slope = 0;
  const double first = loops().reverse(*a.v, call.out, call.out_a, c.shape.size(), c.a, &slope);
  if (a.a != nullptr) *a.a += slope;
  if (start.a != nullptr) *start.a += first;
}

}  // namespace

FERMIAC_EXPORT_KERNELS(recurrence_kernels, total({"linear_recurrence__", plan, forward, reverse}))

}  // namespace fermiac::ad
