#include "interp/eval/solver_operands.h"

#include <algorithm>

#include "autodiff/tape/record/recorder.h"
#include "interp/value/numbers.h"

namespace fermiac::interp {
namespace {

/// What carries no derivatives in the end becomes numbers.
Value to_operand(const Value& v, Frame& f) {
  Value real = promoted(v, BaseType::Real, f.m.recorder);
  if (real.kind() == Value::Kind::Ref && ad::is_constant(real.as_ref())) return without_refs(f.m.recorder, real);
  if (real.kind() == Value::Kind::Refs && std::ranges::all_of(real.ref_data(), ad::is_constant))
    return without_refs(f.m.recorder, real);
  return real;
}

const double* numbers(const Value& v, double& scalar) {
  if (v.kind() != Value::Kind::Real) return v.real_data().data();
  scalar = v.as_real();
  return &scalar;
}

Value solve_plain(std::string_view name, const ad::SolverCall& solver, const std::vector<Value>& operands,
                  const Frame& f) {
  const PlainOperands plain(operands, f);
  ad::KernelCall call{.name = name, .in = plain.view(), .context = &solver};
  const ad::Plan plan = ad::checked_plan(ad::solver_kernel(), call);
  RealBuffer out(plan.out.size());
  std::vector<double> scratch(plan.scratch);
  call.out_shape = plan.out;
  call.out = out.data();
  call.scratch = scratch.data();
  solver.forward(call);
  return plan.out.is_scalar() ? Value(out[0]) : Value::reals(plan.out, std::move(out));
}

Value solve_recording(std::string_view name, const std::shared_ptr<const ad::SolverCall>& solver,
                      const std::vector<Value>& values, ad::Recorder& recorder) {
  std::vector<ad::KernelOperand> operands;
  for (const Value& v : values) {
    double scalar = 0;
    switch (v.kind()) {
      case Value::Kind::Ref:
        operands.push_back({v.shape(), v.as_ref(), true, nullptr});
        break;
      case Value::Kind::Refs:
        operands.push_back({v.shape(), recorder.gather(v.ref_data()), true, nullptr});
        break;
      default:
        operands.push_back({v.shape(), recorder.constant_block(numbers(v, scalar), v.shape().size()), false, nullptr});
    }
  }
  const auto result = recorder.call(ad::solver_kernel(), name, operands, false, solver);
  if (result.shape.is_scalar()) return Value::reference(result.ref);
  std::vector<Ref> refs = filled<Ref>(result.shape.size());
  for (std::size_t i = 0; i < refs.size(); ++i) refs[i] = result.ref + static_cast<Ref>(i);
  return Value::refs(result.shape, std::move(refs));
}

}  // namespace

PlainOperands::PlainOperands(const std::vector<Value>& operands, const Frame& f) : scalars_(operands.size()) {
  values_.reserve(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Value& v =
        values_.emplace_back(without_refs(f.m.recorder, promoted(operands[i], BaseType::Real, f.m.recorder)));
    in_.push_back({.shape = v.shape(), .v = numbers(v, scalars_[i])});
  }
}

Value solve(std::string_view name, const std::shared_ptr<const ad::SolverCall>& solver, std::vector<Value> operands,
            Frame& f) {
  for (Value& v : operands) v = to_operand(v, f);
  const bool records = std::ranges::any_of(operands, &Value::is_autodiff);
  return records ? solve_recording(name, solver, operands, *f.m.recorder) : solve_plain(name, *solver, operands, f);
}

}  // namespace fermiac::interp
