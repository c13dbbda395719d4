// Assignments, terms of the target, control flow, print and reject.
#include <fmt/format.h>

#include <cstdio>

#include "autodiff/tape/record/recorder.h"
#include "interp/exec/lowering/compiler.h"
#include "interp/exec/nodes/operands.h"
#include "interp/exec/runs/profile.h"
#include "interp/io/print.h"
#include "interp/value/numbers.h"
#include "interp/value/selection.h"
#include "support/base/check.h"
#include "support/base/errors.h"
#include "support/platform/output.h"

namespace fermiac::interp {
namespace {

using ValueKind = Value::Kind;

ad::Recorder* recorder_of(Frame& f) {
  return f.recording ? f.m.recorder : nullptr;
}

// ---------------------------------------------------------------- assignments

struct AssignInt final : StmtNode {
  AssignInt(Site s, std::size_t to, ExprPtr r) : StmtNode(s), slot(to), right(std::move(r)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    if (right->plain(f)) f.slots[slot].assign(right(f));
    else f.slots[slot] = right->eval(f);  // a recorded draw
    return Flow::Next;
  }
  std::size_t slot;
  IntOperand right;
};

struct AssignReal final : StmtNode {
  AssignReal(Site s, std::size_t to, ExprPtr r) : StmtNode(s), slot(to), right(std::move(r)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    if (right->plain(f)) {
      f.slots[slot].assign(right(f));
    } else {
      assign(f.slots[slot], right.traced(f));
    }
    return Flow::Next;
  }
  std::size_t slot;
  RealOperand right;
};

struct Assign final : StmtNode {
  Assign(Site s, const Compiler::Variable& to, std::string n, ExprPtr r)
      : StmtNode(s), slot(to.slot), resizable(to.resizable), name(std::move(n)), right(std::move(r)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    Value v = right->eval(f);
    if (!resizable) check_assignable(name, f.slots[slot], v);
    f.slots[slot] = std::move(v);
    return Flow::Next;
  }
  std::size_t slot;
  bool resizable;
  std::string name;
  ExprPtr right;
};

/// `x[i, j] = scalar`, all indexes single.
struct AssignElement final : StmtNode {
  AssignElement(Site s, std::size_t to, std::string n, std::vector<ExprPtr> i, ExprPtr r)
      : StmtNode(s), slot(to), index(std::move(n), std::move(i)), right(std::move(r)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    if (right->plain(f) && f.slots[slot].kind() != ValueKind::Refs) return store_plain(f);
    const Value v = right->eval(f);
    Value& to = f.slots[slot];
    write_scalar(to, index(f, to.shape()), v, recorder_of(f));
    return Flow::Next;
  }
  Flow store_plain(Frame& f) const {
    Value& to = f.slots[slot];
    if (right->is_int() && to.kind() == ValueKind::Ints) {
      const std::int32_t v = right->eval_int(f);
      to.mutable_ints()[index(f, to.shape())] = v;
    } else {
      const double v = right(f);
      to.mutable_reals()[index(f, to.shape())] = v;
    }
    return Flow::Next;
  }
  std::size_t slot;
  ElementIndex index;
  RealOperand right;
};

/// `x[i] = element`, single indexes into array dimensions.
struct AssignArrayElement final : StmtNode {
  AssignArrayElement(Site s, std::size_t to, std::string n, std::vector<ExprPtr> i, ExprPtr r)
      : StmtNode(s), slot(to), name(std::move(n)), index(std::move(i)), right(std::move(r)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    const Value v = right->eval(f);
    std::int32_t at[Shape::kMaxRank];
    const int count = static_cast<int>(index.size());
    for (int k = 0; k < count; ++k) at[k] = index[k]->eval_int(f);
    Value& to = f.slots[slot];
    write(name, to, select_element(name, to.shape(), at, count), v, recorder_of(f));
    return Flow::Next;
  }
  std::size_t slot;
  std::string name;
  std::vector<ExprPtr> index;
  ExprPtr right;
};

/// Everything else: parts of containers, slots of tuples, elements of arrays of tuples.
struct AssignPart final : StmtNode {
  AssignPart(Site s, std::size_t to, std::string n, std::vector<AccessStep> a, ExprPtr r)
      : StmtNode(s), slot(to), name(std::move(n)), steps(std::move(a)), right(std::move(r)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    const Value v = right->eval(f);
    Value* to = &f.slots[slot];
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) to = &step_into(name, *to, path_step(f, steps[k]));
    assign_step(name, *to, path_step(f, steps.back()), v, recorder_of(f));
    return Flow::Next;
  }
  static PathStep path_step(Frame& f, const AccessStep& step) {
    PathStep out{.slot = step.slot, .at = {}};
    if (step.slot == 0) positions(f, step.indexes, out.at);
    return out;
  }
  std::size_t slot;
  std::string name;
  std::vector<AccessStep> steps;
  ExprPtr right;
};

// ---------------------------------------------------------------- target

struct AddToTarget final : StmtNode {
  AddToTarget(Site s, ExprPtr v, bool j) : StmtNode(s), value(std::move(v)), jacobian(j) {}
  Flow run(Frame& f) const override {
    f.at(site);
    if (jacobian && !f.m.jacobian) return Flow::Next;
    if (f.recording) value->to_target(f);
    else f.m.lp += value->is_number() ? value->eval_real(f) : sum_of(value->eval(f));
    return Flow::Next;
  }
  ExprPtr value;
  bool jacobian;
};

struct CallStatement final : StmtNode {
  CallStatement(Site s, ExprPtr c) : StmtNode(s), call(std::move(c)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    call->eval(f);
    return Flow::Next;
  }
  ExprPtr call;
};

// ---------------------------------------------------------------- print, reject, fatal_error

struct Print final : StmtNode {
  Print(Site s, mir::Internal k, std::vector<ExprPtr> i) : StmtNode(s), kind(k), items(std::move(i)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    const CallContext context = f.context(false);
    std::string text;
    for (const ExprPtr& item : items) {
      const std::string* literal = literal_text(*item);
      text += literal ? *literal : print_text(context, item->eval(f));
    }
    say(f.m, kind, std::move(text));
    return Flow::Next;
  }
  mir::Internal kind;
  std::vector<ExprPtr> items;
};

// ---------------------------------------------------------------- control flow

struct Break final : StmtNode {
  using StmtNode::StmtNode;
  Flow run(Frame&) const override { return Flow::Break; }
};
struct Continue final : StmtNode {
  using StmtNode::StmtNode;
  Flow run(Frame&) const override { return Flow::Continue; }
};

struct Return final : StmtNode {
  Return(Site s, ExprPtr v) : StmtNode(s), value(std::move(v)) {}
  Flow run(Frame& f) const override {
    if (!value) return Flow::Return;
    f.at(site);
    if (f.result_to_target) value->to_target(f);
    else f.result = value->eval(f);
    return Flow::Return;
  }
  ExprPtr value;
};

struct If final : StmtNode {
  If(Site s, ExprPtr t, StmtPtr y, StmtPtr n) : StmtNode(s), test(std::move(t)), yes(std::move(y)), no(std::move(n)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    if (test->eval_int(f) != 0) return yes->run(f);
    return no ? no->run(f) : Flow::Next;
  }
  ExprPtr test;
  StmtPtr yes, no;
};

struct While final : StmtNode {
  While(Site s, ExprPtr t, StmtPtr b) : StmtNode(s), test(std::move(t)), body(std::move(b)) {}
  Flow run(Frame& f) const override {
    for (;;) {
      f.m.poll();
      f.at(site);
      if (test->eval_int(f) == 0) return Flow::Next;
      const Flow flow = body->run(f);
      if (flow == Flow::Break) return Flow::Next;
      if (flow == Flow::Return) return flow;
    }
  }
  ExprPtr test;
  StmtPtr body;
};

struct For final : StmtNode {
  For(Site s, std::size_t v, ExprPtr l, ExprPtr u, bool m, StmtPtr b)
      : StmtNode(s), slot(v), lower(std::move(l)), upper(std::move(u)), moving_upper(m), body(std::move(b)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    std::int64_t i = lower->eval_int(f);
    const std::int64_t last = upper->eval_int(f);
    ad::Recorder* const recorder = recorder_of(f);
    const ad::LoopNest::Id loop = moving_upper || recorder == nullptr ? 0 : recorder->begin_loop(site, last - i + 1);
    if (loop == 0) return rounds(f, i, last, 0);
    const Announced announced{*recorder, loop};
    const Flow flow = rounds(f, i, last, loop);
    recorder->end_loop(loop);
    return flow;
  }
  struct Announced {
    ad::Recorder& recorder;
    ad::LoopNest::Id loop;
    ~Announced() { recorder.forget_loop(loop); }
  };
  /// `loop`: whose rounds the recorder is to be told, if not 0.
  Flow rounds(Frame& f, std::int64_t i, std::int64_t last, ad::LoopNest::Id loop) const {
    for (; i <= last; ++i) {
      f.m.poll();
      if (loop != 0) f.m.recorder->next_round(loop);
      f.slots[slot].assign(static_cast<std::int32_t>(i));
      const Flow flow = body->run(f);
      if (flow == Flow::Break) return Flow::Next;
      if (flow == Flow::Return) return flow;
      if (!moving_upper) continue;
      f.at(site);
      last = upper->eval_int(f);
    }
    return Flow::Next;
  }
  std::size_t slot;
  ExprPtr lower, upper;
  bool moving_upper;  // the bound may change while the loop runs
  StmtPtr body;
};

struct Block final : StmtNode {
  Block(Site s, std::vector<StmtPtr> b) : StmtNode(s), body(std::move(b)) {}
  Flow run(Frame& f) const override {
    for (const StmtPtr& s : body)
      if (const Flow flow = s->run(f); flow != Flow::Next) return flow;
    return Flow::Next;
  }
  std::vector<StmtPtr> body;
};

struct ProfileBlock final : StmtNode {
  ProfileBlock(Site s, std::string n, StmtPtr b) : StmtNode(s), name(std::move(n)), body(std::move(b)) {}
  Flow run(Frame& f) const override {
    if (!f.m.profile) return body->run(f);
    const Profile::Run measured(*f.m.profile, name, recorder_of(f));
    return body->run(f);
  }
  std::string name;
  StmtPtr body;
};

}  // namespace

void say(Machine& m, mir::Internal kind, std::string text) {
  if (m.lenient && kind == mir::Internal::FnReject) return;
  if (kind == mir::Internal::FnReject) throw ad::DomainError(text);
  if (kind == mir::Internal::FnFatalError) throw ad::FatalError(text);
  text += '\n';
  m.printed = true;
  if (m.print && *m.print) (*m.print)(text);
  else write_output(text);
}

void run_section(const Section& section, Frame& frame) {
  for (const StmtPtr& s : section.body)
    if (s->run(frame) == Flow::Return) return;
}

StmtPtr make_scalar_assignment(Site site, const Compiler::Variable& to, ExprPtr right) {
  if (to.type.is(BaseType::Int)) return std::make_unique<AssignInt>(site, to.slot, std::move(right));
  return std::make_unique<AssignReal>(site, to.slot, std::move(right));
}
StmtPtr make_assignment(Site site, const Compiler::Variable& to, std::string name, ExprPtr right) {
  return std::make_unique<Assign>(site, to, std::move(name), std::move(right));
}
StmtPtr make_element_assignment(Site site, const Compiler::Variable& to, std::string name, std::vector<ExprPtr> index,
                                ExprPtr right) {
  if (static_cast<int>(index.size()) <= to.type.array_dims() && !right->is_number())
    return std::make_unique<AssignArrayElement>(site, to.slot, std::move(name), std::move(index), std::move(right));
  return std::make_unique<AssignElement>(site, to.slot, std::move(name), std::move(index), std::move(right));
}
StmtPtr make_part_assignment(Site site, const Compiler::Variable& to, std::string name, std::vector<AccessStep> steps,
                             ExprPtr right) {
  return std::make_unique<AssignPart>(site, to.slot, std::move(name), std::move(steps), std::move(right));
}
StmtPtr make_target(Site site, ExprPtr value, bool jacobian) {
  return std::make_unique<AddToTarget>(site, std::move(value), jacobian);
}
StmtPtr make_call_statement(Site site, ExprPtr call) {
  return std::make_unique<CallStatement>(site, std::move(call));
}
StmtPtr make_print(Site site, mir::Internal kind, std::vector<ExprPtr> items) {
  return std::make_unique<Print>(site, kind, std::move(items));
}
StmtPtr make_break(Site site) {
  return std::make_unique<Break>(site);
}
StmtPtr make_continue(Site site) {
  return std::make_unique<Continue>(site);
}
StmtPtr make_return(Site site, ExprPtr value) {
  return std::make_unique<Return>(site, std::move(value));
}
StmtPtr make_if(Site site, ExprPtr test, StmtPtr yes, StmtPtr no) {
  return std::make_unique<If>(site, std::move(test), std::move(yes), std::move(no));
}
StmtPtr make_while(Site site, ExprPtr test, StmtPtr body) {
  return std::make_unique<While>(site, std::move(test), std::move(body));
}
StmtPtr make_for(Site site, std::size_t slot, ExprPtr lower, ExprPtr upper, bool moving_upper, StmtPtr body) {
  return std::make_unique<For>(site, slot, std::move(lower), std::move(upper), moving_upper, std::move(body));
}
StmtPtr make_profile(Site site, std::string name, StmtPtr body) {
  return std::make_unique<ProfileBlock>(site, std::move(name), std::move(body));
}
StmtPtr make_block(Site site, std::vector<StmtPtr> body) {
  if (body.size() == 1) return std::move(body[0]);
  return std::make_unique<Block>(site, std::move(body));
}

}  // namespace fermiac::interp
