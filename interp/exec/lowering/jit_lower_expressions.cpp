#include "interp/exec/lowering/jit_lowering.h"

#include <cstdlib>
#include <limits>

#include "support/base/match.h"
#include "support/base/number_text.h"
#include "support/base/text.h"
#include "support/platform/stack.h"

namespace fermiac::interp {

using jit::Instruction;
using jit::Op;
using jit::Operand;
using jit::RegisterKind;

Operand JitLowering::moved(Operand x, Operand want, Op op) {
  if (want.is_none() || want == x) return x;
  push({.op = op, .to = want, .a = x});
  return want;
}

Operand JitLowering::real(const mir::Expr& e, Operand want) {
  if (stack_runs_out()) throw NotLowered{};
  if (e.type.is(BaseType::Int)) return to_real(integer(e), want);
  if (!e.type.is(BaseType::Real)) throw NotLowered{};
  return match(
      e.node, [&](const mir::Var& v) { return moved(variable(e, v.name), want, Op::Move); },
      [&](const mir::Lit& l) { return moved(real_constant(literal_real(l.text)), want, Op::Move); },
      [&](const mir::FunApp& f) { return real_call(e, f, want); },
      [&](const mir::TernaryIf& t) { return ternary(e, t, want); }, [&](const mir::EAnd&) { return eval(e, want); },
      [&](const mir::EOr&) { return eval(e, want); }, [&](const mir::Indexed&) { return element(e, want); },
      [&](const mir::Promotion& p) { return promotion(e, p, want); },
      [&](const mir::TupleProjection&) { return eval(e, want); });
}

Operand JitLowering::to_real(Operand x, Operand want) {
  if (x.is_int_constant()) return moved(real_constant(code_.ints[x.index()]), want, Op::Move);
  const Operand to = place(want, RegisterKind::Real);
  push({.op = Op::ToReal, .to = to, .a = x});
  return to;
}

Operand JitLowering::promotion(const mir::Expr& e, const mir::Promotion& p, Operand want) {
  return p.operand->type.is_number() && p.scalar.is(BaseType::Real) ? real(*p.operand, want) : eval(e, want);
}

Operand JitLowering::integer(const mir::Expr& e, Operand want) {
  if (stack_runs_out() || !e.type.is(BaseType::Int)) throw NotLowered{};
  return match(
      e.node, [&](const mir::Var& v) { return moved(variable(e, v.name), want, Op::MoveInt); },
      [&](const mir::Lit& l) { return moved(int_literal(l), want, Op::MoveInt); },
      [&](const mir::FunApp& f) { return int_call(e, f, want); },
      [&](const mir::TernaryIf& t) { return ternary(e, t, want); }, [&](const mir::EAnd&) { return truth(e, want); },
      [&](const mir::EOr&) { return truth(e, want); }, [&](const mir::Indexed&) { return element(e, want); },
      [&](const mir::Promotion&) { return eval(e, want); }, [&](const mir::TupleProjection&) { return eval(e, want); });
}

Operand JitLowering::int_literal(const mir::Lit& l) {
  const std::int64_t value = literal_int(l.text);
  if (value > std::numeric_limits<std::int32_t>::max() || value < std::numeric_limits<std::int32_t>::min()) throw NotLowered{};
  return int_constant(static_cast<std::int32_t>(value));
}

Operand JitLowering::truth(const mir::Expr& e, Operand want) {
  const Operand to = place(want, RegisterKind::Int);
  const std::uint32_t no = label(), end = label();
  unless(e, no);
  push({.op = Op::MoveInt, .to = to, .a = int_constant(1)});
  jump(end);
  bind(no);
  push({.op = Op::MoveInt, .to = to, .a = int_constant(0)});
  bind(end);
  return to;
}

Operand JitLowering::ternary(const mir::Expr& e, const mir::TernaryIf& t, Operand want) {
  const bool is_int = e.type.is(BaseType::Int);
  const Operand to = place(want, is_int ? RegisterKind::Int : RegisterKind::Real);
  const std::uint32_t no = label(), end = label();
  unless(*t.test, no);
  is_int ? integer(*t.yes, to) : real(*t.yes, to);
  jump(end);
  bind(no);
  is_int ? integer(*t.no, to) : real(*t.no, to);
  bind(end);
  return to;
}

Operand JitLowering::element(const mir::Expr& e, Operand want) {
  const IndexedElement access = indexed_element(e);
  if (!access.base) return eval(e, want);
  ++own_;
  const Type& container = access.base->type;
  const std::vector<Operand> at = indexes(access.at);
  const std::uint32_t v = view_of(std::get<mir::Var>(access.base->node).name, access.base->span, container, false);
  const bool is_int = code_.views[v].ints;
  if (is_int != e.type.is(BaseType::Int)) throw NotLowered{};
  const Operand to = place(want, is_int ? RegisterKind::Int : RegisterKind::Real);
  push(with_list({.op = is_int ? Op::ElementInt : Op::Element, .to = to, .at = v}, at));
  return to;
}

std::vector<Operand> JitLowering::indexes(const std::vector<mir::ExprPtr>& list) {
  std::vector<Operand> out;
  for (const mir::ExprPtr& i : list) out.push_back(integer(*i));
  return out;
}

Instruction JitLowering::with_list(Instruction i, const std::vector<Operand>& list) {
  i.first = static_cast<std::uint32_t>(code_.lists.size());
  i.count = static_cast<std::uint16_t>(list.size());
  code_.lists.insert(code_.lists.end(), list.begin(), list.end());
  return i;
}

}  // namespace fermiac::interp
