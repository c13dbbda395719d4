// Operands of solvers: plain numbers for the plain evaluator, references for the recorder.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "autodiff/solvers/solver_call.h"
#include "interp/exec/runs/frame.h"
#include "interp/functions/operands.h"

namespace fermiac::interp {

/// Operands as numbers; keeps them alive.
class PlainOperands {
 public:
  PlainOperands(const std::vector<Value>& operands, const Frame& f);
  std::span<const ad::KernelArg> view() const { return in_.view(); }

 private:
  std::vector<Value> values_;
  PlainKernelOperands in_;
};

/// As reals; what carries no derivatives in the end becomes numbers.
Value real_operand(const Value& v, Frame& f);

/// The solver on operands of which one carries derivatives, as one operation.
Value record_solver(std::string_view name, const std::shared_ptr<const ad::SolverCall>& solver,
                    const std::vector<Value>& values, ad::Recorder& recorder);

/// Runs the solver on operands: on the recording if one of them carries derivatives.
Value solve(std::string_view name, const std::shared_ptr<const ad::SolverCall>& solver, std::vector<Value> operands,
            Frame& f);

}  // namespace fermiac::interp
