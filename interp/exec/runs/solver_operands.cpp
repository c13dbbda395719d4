#include "interp/exec/runs/solver_operands.h"

#include <algorithm>

#include "autodiff/tape/record/recorder.h"
#include "interp/value/numbers.h"

namespace fermiac::interp {
namespace {

std::vector<Value> plain_values(const std::vector<Value>& operands, const Frame& f) {
  std::vector<Value> values;
  values.reserve(operands.size());
  for (const Value& v : operands)
    values.push_back(without_refs(f.m.recorder, promoted(v, BaseType::Real, f.m.recorder)));
  return values;
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

}  // namespace

Value real_operand(const Value& v, Frame& f) {
  Value real = promoted(v, BaseType::Real, f.m.recorder);
  if (real.kind() == Value::Kind::Ref && real.as_ref().is_constant()) return without_refs(f.m.recorder, real);
  if (real.kind() == Value::Kind::Refs && std::ranges::all_of(real.ref_data(), &Ref::is_constant))
    return without_refs(f.m.recorder, real);
  return real;
}

Value record_solver(std::string_view name, const std::shared_ptr<const ad::SolverCall>& solver,
                    const std::vector<Value>& values, ad::Recorder& recorder) {
  const RecordedOperands operands(recorder, values);
  const auto result = recorder.call(ad::solver_kernel(), name, operands.view(), false, solver);
  return reference_block(result.shape, result.ref);
}

PlainOperands::PlainOperands(const std::vector<Value>& operands, const Frame& f)
    : values_(plain_values(operands, f)), in_(values_) {}

Value solve(std::string_view name, const std::shared_ptr<const ad::SolverCall>& solver, std::vector<Value> operands,
            Frame& f) {
  for (Value& v : operands) v = real_operand(v, f);
  const bool records = std::ranges::any_of(operands, &Value::is_autodiff);
  return records ? record_solver(name, solver, operands, *f.m.recorder) : solve_plain(name, *solver, operands, f);
}

}  // namespace fermiac::interp
