// Branches on parameters that are recorded on both sides, with the choice between them on the tape (Recorder::select).
// Where the side that is not taken cannot be computed, the choice leaves a guard like any other branch.
#include "interp/exec/lowering/compiler.h"
#include "interp/value/numbers.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

/// The selected value, or nothing if the branches cannot both be recorded here.
std::optional<Value> both_sides(Frame& f, const Comparison& c, const ExprNode& yes, const ExprNode& no) {
  ad::Recorder& recorder = *f.m.recorder;
  if (!recorder.speculates()) return std::nullopt;
  try {
    const ad::Ref y = to_ref(recorder, yes.eval(f));
    const ad::Ref n = to_ref(recorder, no.eval(f));
    return Value::reference(recorder.select(c.compare, c.a, c.b, c.negate ? n : y, c.negate ? y : n));
  } catch (const ad::EvalError&) {  // of the side that is not taken, or the program fails the same way again
    return std::nullopt;
  }
}

struct Select final : ExprNode {
  Select(ExprPtr t, ExprPtr y, ExprPtr n)
      : ExprNode(BaseType::Real, true), test(std::move(t)), yes(std::move(y)), no(std::move(n)) {}
  Value eval(Frame& f) const override {
    if (!f.recording) return branch(test->eval_int(f) != 0).eval(f);
    Comparison c;
    if (const auto known = test->decide(f, c)) return branch(*known).eval(f);
    if (auto both = both_sides(f, c, *yes, *no)) return *std::move(both);
    return branch(f.m.recorder->guard(c.compare, c.a, c.b) != c.negate).eval(f);
  }
  double eval_real(Frame& f) const override { return branch(test->eval_int(f) != 0).eval_real(f); }
  const ExprNode& branch(bool holds) const { return holds ? *yes : *no; }
  ExprPtr test, yes, no;
};

struct SelectStatement final : StmtNode {
  SelectStatement(Site s, ExprPtr t, ExprPtr y, ExprPtr n, std::size_t slot, StmtPtr st, StmtPtr other)
      : StmtNode(s),
        test(std::move(t)),
        yes(std::move(y)),
        no(std::move(n)),
        result(slot),
        store(std::move(st)),
        otherwise(std::move(other)) {}
  Flow run(Frame& f) const override {
    if (!f.recording || !f.m.recorder->speculates()) return otherwise->run(f);
    f.at(site);
    Comparison c;
    if (test->decide(f, c)) return otherwise->run(f);
    auto both = both_sides(f, c, *yes, *no);
    if (!both) return otherwise->run(f);
    f.slots[result] = *std::move(both);
    return store->run(f);
  }
  ExprPtr test, yes, no;
  std::size_t result;
  StmtPtr store, otherwise;
};

}  // namespace

ExprPtr make_select(ExprPtr test, ExprPtr yes, ExprPtr no) {
  return std::make_unique<Select>(std::move(test), std::move(yes), std::move(no));
}

StmtPtr make_select_statement(Site site, ExprPtr test, ExprPtr yes, ExprPtr no, const Compiler::Variable& result,
                              StmtPtr store, StmtPtr otherwise) {
  return std::make_unique<SelectStatement>(site, std::move(test), std::move(yes), std::move(no), result.slot,
                                           std::move(store), std::move(otherwise));
}

}  // namespace fermiac::interp
