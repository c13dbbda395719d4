#include "interp/exec/lowering/jit_lowering.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "support/base/match.h"
#include "support/platform/stack.h"

namespace fermiac::interp {

using jit::Condition;
using jit::Op;
using jit::Operand;
using jit::RegisterKind;

namespace {

/// The right side of `s` if it assigns the whole of `name` without reading it.
bool initialises(const mir::Stmt* s, const std::string& name) {
  const auto* a = s ? std::get_if<mir::Assignment>(&s->node) : nullptr;
  return a && !a->left.tuple && a->left.variable == name && a->left.indexes.empty() && !depends_on(*a->right, {name});
}

/// Whether its node may add it to target in another way than as the number that it is: term by term, as a density.
bool has_terms(const mir::Expr& e) {
  constexpr Builtin kNumbers[] = {Builtin::Minus, Builtin::Times, Builtin::Divide, Builtin::PMinus};
  if (!e.type.is(BaseType::Real)) return false;
  if (std::holds_alternative<mir::TernaryIf>(e.node)) return true;
  const mir::StanLib* fn = mir::as_library(e);
  return mir::as_call(e) && !(fn && std::ranges::count(kNumbers, fn->fn) > 0);
}

}  // namespace

void JitLowering::stmt(const mir::Stmt& s) {
  if (stack_runs_out()) throw NotLowered{};
  site_ = c_.site(s.span);
  match(
      s.node, [&](const mir::Assignment& a) { assignment(s, a); }, [&](const mir::TargetPE& t) { target(s, *t.value); },
      [&](const mir::JacobianPE&) { run_node(s); }, [&](const mir::NRFunApp&) { run_node(s); },
      [&](const mir::Break&) { jump(loops_.back().end); }, [&](const mir::Continue&) { jump(loops_.back().next); },
      [&](const mir::Return& r) { returns(s, r); }, [&](const mir::Skip&) {}, [&](const mir::IfElse& i) { conditional(i); },
      [&](const mir::While& w) { while_loop(s, w); }, [&](const mir::For& f) { for_loop(s, f); },
      [&](const mir::Profile&) { throw NotLowered{}; }, [&](const mir::Block& b) { scoped_list(b.body); },
      [&](const mir::SList& l) { list(l.body); }, [&](const mir::Decl& d) { declaration(s, d, nullptr); });
}

void JitLowering::scoped(const mir::Stmt& s) {
  const Compiler::Scope scope(c_);
  stmt(s);
}

void JitLowering::scoped_list(const std::vector<mir::StmtPtr>& body) {
  const Compiler::Scope scope(c_);
  list(body);
}

void JitLowering::list(const std::vector<mir::StmtPtr>& body) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    const auto* decl = std::get_if<mir::Decl>(&body[i]->node);
    const mir::Stmt* next = i + 1 < body.size() ? body[i + 1].get() : nullptr;
    if (!decl) {
      stmt(*body[i]);
      continue;
    }
    site_ = c_.site(body[i]->span);
    if (declaration(*body[i], *decl, next)) ++i;
  }
}

void JitLowering::assignment(const mir::Stmt& s, const mir::Assignment& a) {
  const mir::LValue& left = a.left;
  if (left.tuple) return run_node(s);
  const Compiler::Variable to = c_.lookup(s.span, left.variable);
  if (left.indexes.empty()) {
    if (!to.type.is_number()) return run_node(s);
    const Operand reg = scalar(to, left.variable).reg;
    to.type.is(BaseType::Int) ? integer(*a.right, reg) : real(*a.right, reg);
    return;
  }
  const bool element = all_single(left.indexes) && mir::indexed_type(to.type, left.indexes).is_number();
  element ? set_element(s, a, to.type) : run_node(s);
}

void JitLowering::target(const mir::Stmt& s, const mir::Expr& value) {
  const mir::FunApp* call = library_of_numbers(value);
  const auto* fn = call ? &std::get<mir::StanLib>(call->fn) : nullptr;
  const ad::MapCode code = fn && value.type.is(BaseType::Real) ? scalar_map_code(fn->fn, call->args.size()) : ad::kNoMap;
  if (code == ad::kNoMap || !ad::map_op(code).density) return run_node(s);
  ++own_;
  const std::vector<Operand> at = map_operands(call->args);
  push(with_list({.op = Op::Target, .pointer = map_of(code, fn->propto, call->args)}, at));
}

void JitLowering::set_element(const mir::Stmt& s, const mir::Assignment& a, const Type& container) {
  ++own_;
  const bool is_int = container.base() == BaseType::Int;
  const Operand x = is_int ? integer(*a.right) : real(*a.right);
  std::vector<mir::ExprPtr> at;
  for (const mir::Index& i : a.left.indexes) at.push_back(i.low);
  const std::vector<Operand> index = indexes(at);
  const std::uint32_t v = view_of(a.left.variable, s.span, container, true);
  push(with_list({.op = is_int ? Op::SetElementInt : Op::SetElement, .a = x, .at = v}, index));
}

bool JitLowering::declaration(const mir::Stmt& s, const mir::Decl& d, const mir::Stmt* next) {
  const auto* sized = std::get_if<mir::SizedType>(&d.type);
  const Type type = sized ? sized->type() : std::get<Type>(d.type);
  if (type.is_number()) {
    declare_number(d, type, next);
    return false;
  }
  std::set<std::string> reads = mentioned(s);
  if (next) reads.merge(mentioned(*next));
  bool took_next = false;
  run_node(c_.declaration(s, d, next, took_next), reads, {});
  return took_next;
}

void JitLowering::declare_number(const mir::Decl& d, const Type& type, const mir::Stmt* next) {
  const bool is_int = type.is(BaseType::Int);
  if (d.value) {
    const Operand value = is_int ? integer(*d.value) : real(*d.value);  // knows the names around it
    moved(value, declare(d.id, type), is_int ? Op::MoveInt : Op::Move);
    return;
  }
  const Operand to = declare(d.id, type);
  if (initialises(next, d.id)) return;
  if (is_int) push({.op = Op::MoveInt, .to = to, .a = int_constant(std::numeric_limits<std::int32_t>::min())});
  else push({.op = Op::Move, .to = to, .a = real_constant(std::numeric_limits<double>::quiet_NaN())});
}

void JitLowering::returns(const mir::Stmt& s, const mir::Return& r) {
  if (!inlined_.empty()) {
    const Inlined to = inlined_.back();
    code_.registers[to.result.index()] == RegisterKind::Int ? integer(*r.value, to.result) : real(*r.value, to.result);
    return jump(to.end);
  }
  if (r.value && has_terms(*r.value)) return_terms(s);
  if (r.value && r.value->type.is_number()) {
    const Operand x = number(*r.value);
    push({.op = r.value->type.is(BaseType::Int) ? Op::ResultInt : Op::ResultReal, .a = x});
  } else if (r.value) {
    run_node(s);
  }
  jump(ends_[1]);
}

void JitLowering::return_terms(const mir::Stmt& s) {
  const std::uint32_t whole = label();
  push({.op = Op::JumpUnlessTerms, .at = whole});
  run_node(s);
  ++terms_;
  jump(ends_[1]);
  bind(whole);
}

void JitLowering::conditional(const mir::IfElse& i) {
  const std::uint32_t otherwise = label(), end = label();
  unless(*i.test, otherwise);
  scoped(*i.yes);
  if (i.no) jump(end);
  bind(otherwise);
  if (i.no) scoped(*i.no);
  bind(end);
}

void JitLowering::body(const mir::Stmt& s, Loop loop) {
  ++own_;
  loops_.push_back(loop);
  scoped(s);
  loops_.pop_back();
}

void JitLowering::while_loop(const mir::Stmt& s, const mir::While& w) {
  const Site at = site_;
  const Loop loop{label(), label()};
  const std::vector<std::size_t> opened = open_views(s);
  bind(loop.next);
  push({.op = Op::Poll});
  site_ = at;
  unless(*w.test, loop.end);
  body(*w.body, loop);
  jump(loop.next);
  bind(loop.end);
  close_views(opened);
}

void JitLowering::for_loop(const mir::Stmt& s, const mir::For& f) {
  const Site at = site_;
  std::set<std::string> changing;
  collect_assigned(*f.body, changing);
  const bool moving = depends_on(*f.upper, changing);
  const Operand count = fresh(RegisterKind::Int), last = fresh(RegisterKind::Int);
  integer(*f.lower, count);
  integer(*f.upper, last);
  const Loop loop{label(), label()};
  const std::uint32_t round = label();
  push({.op = Op::JumpIfInt, .condition = Condition::Greater, .a = count, .b = last, .at = loop.end});
  const std::vector<std::size_t> opened = moving ? std::vector<std::size_t>() : open_views(s);
  const Compiler::Scope scope(c_);
  const Operand variable = declare(f.variable, BaseType::Int);
  bind(round);
  push({.op = Op::Poll});
  push({.op = Op::MoveInt, .to = variable, .a = count});
  body(*f.body, loop);
  bind(loop.next);
  site_ = at;
  if (moving) integer(*f.upper, last);
  push({.op = Op::JumpIfInt, .condition = Condition::GreaterOrEqual, .a = count, .b = last, .at = loop.end});
  push({.op = Op::AddInt, .to = count, .a = count, .b = int_constant(1)});
  jump(round);
  bind(loop.end);
  close_views(opened);
}

}  // namespace fermiac::interp
