// Kernels on values: evaluated on plain numbers, or put on the tape when an operand depends on parameters.
#include <array>
#include <string_view>
#include <vector>

#include "interp/functions/builtin_tools.h"
#include "interp/functions/operands.h"

namespace fermiac::interp {
namespace {

ad::Propto dropped(const CallContext& context, const ad::Kernel& kernel) {
  return kernel.density ? context.propto : ad::Propto();
}

Value evaluate_kernel(const CallContext& context, const ad::Kernel& kernel, std::string_view name, Args args) {
  const PlainKernelOperands operands(args);
  ad::KernelCall call{.name = name, .in = operands.view(), .propto = dropped(context, kernel)};
  const ad::Plan plan = checked_plan(kernel, call);
  call.out_shape = plan.out;
  std::vector<double> scratch(plan.scratch);
  call.scratch = scratch.data();
  if (plan.out.is_scalar() && !plan.out.complex) {
    std::array<double, 16> number{};  // a vector loop may run over the end, as in a RealBuffer
    call.out = number.data();
    kernel.forward(call);
    return number[0];
  }
  RealBuffer out(plan.out.size());
  call.out = out.data();
  kernel.forward(call);
  return Value::reals(plan.out, std::move(out));
}

}  // namespace

Value apply_kernel(CallContext& context, const ad::Kernel& kernel, std::string_view name, Args args) {
  if (!records(context, args)) return evaluate_kernel(context, kernel, name, PlainValues(context, args).view());
  const RecordedOperands operands(*context.recorder, args);
  const auto result = context.recorder->call(kernel, name, operands.view(), dropped(context, kernel));
  return result.list.empty() ? reference_block(result.shape, result.ref) : Value::refs(result.shape, result.list);
}

void sink_kernel(CallContext& context, const ad::Kernel& kernel, std::string_view name, Args args) {
  if (!records(context, args) || !kernel.density)
    return add_to_target(*context.recorder, apply_kernel(context, kernel, name, args));
  const RecordedOperands operands(*context.recorder, args);
  context.recorder->call_sink(kernel, name, operands.view(), context.propto);
}

Shape NamedKernel::result_shape(const CallContext& context, Args args) const {
  if (!exists()) not_implemented(name_);
  const PlainValues values(context, args);
  const PlainKernelOperands operands(values.view());
  return ad::checked_plan(*kernel_, {.name = kernel_->name, .in = operands.view()}).out;
}

Value NamedKernel::operator()(CallContext& context, Args args) const {
  if (!exists()) not_implemented(name_);
  return apply_kernel(context, *kernel_, kernel_->name, args);  // a recording keeps the name: static storage
}

}  // namespace fermiac::interp
