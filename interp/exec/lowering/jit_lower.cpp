#include "interp/exec/lowering/jit_lower.h"

#include <bit>

#include "interp/exec/lowering/jit_lowering.h"

namespace fermiac::interp {

using jit::Instruction;
using jit::Op;
using jit::Operand;
using jit::RegisterKind;

namespace {

constexpr std::size_t kMostNodes = 20000;         // of the statement
constexpr std::size_t kMostInstructions = 8000;

}  // namespace

void JitLowering::run(const mir::Stmt& top) {
  ends_[0] = label(), ends_[1] = label();
  stmt(top);
  bind(ends_[0]);
  leave(Flow::Next);
  bind(ends_[1]);
  leave(Flow::Return);
  load_free();
}

Operand JitLowering::fresh(RegisterKind kind) {
  code_.registers.push_back(kind);
  return Operand::reg(static_cast<std::uint32_t>(code_.registers.size() - 1));
}

Instruction& JitLowering::push(Instruction i) {
  if (code_.instructions.size() >= kMostInstructions) throw NotLowered{};
  i.site = index_of(site_);
  code_.instructions.push_back(i);
  return code_.instructions.back();
}

Operand JitLowering::real_constant(double x) {
  const auto [it, added] = reals_.try_emplace(std::bit_cast<std::uint64_t>(x), static_cast<std::uint32_t>(code_.reals.size()));
  if (added) code_.reals.push_back(x);
  return Operand::real_constant(it->second);
}

Operand JitLowering::int_constant(std::int32_t x) {
  const auto [it, added] = ints_.try_emplace(x, static_cast<std::uint32_t>(code_.ints.size()));
  if (added) code_.ints.push_back(x);
  return Operand::int_constant(it->second);
}

std::uint32_t JitLowering::name(const std::string& text) {
  const auto [it, added] = names_.try_emplace(text, static_cast<std::uint32_t>(code_.names.size()));
  if (added) code_.names.push_back(text);
  return it->second;
}

JitLowering::Scalar& JitLowering::scalar(const Compiler::Variable& v, const std::string& variable) {
  const auto [it, added] = scalars_.try_emplace(v.slot);
  Scalar& s = it->second;
  if (!added) return s;
  const RegisterKind kind = v.type.is(BaseType::Int) ? RegisterKind::Int : RegisterKind::Real;
  s = {fresh(kind), v.slot, kind, v.slot < first_slot_, assigned_.contains(variable), v.may_ref};
  return s;
}

Operand JitLowering::declare(const std::string& name, const Type& type) {
  return scalar(c_.declare(name, type, c_.derivatives_possible()), name).reg;
}

void JitLowering::store(const Scalar& s) {
  push({.op = s.kind == RegisterKind::Real ? Op::StoreReal : Op::StoreInt, .a = s.reg, .at = static_cast<std::uint32_t>(s.slot)});
}

void JitLowering::load(const Scalar& s) {
  push({.op = s.kind == RegisterKind::Real ? Op::LoadReal : Op::LoadInt, .traced = s.may_ref, .to = s.reg, .at = static_cast<std::uint32_t>(s.slot)});
}

void JitLowering::leave(Flow flow) {
  for (const auto& [slot, s] : scalars_)
    if (s.free && s.assigned) store(s);
  push({.op = Op::Exit, .at = static_cast<std::uint32_t>(flow)});
}

void JitLowering::load_free() {
  std::vector<Instruction> body = std::move(code_.instructions);
  code_.instructions.clear();
  for (const auto& [slot, s] : scalars_)
    if (s.free) load(s);
  code_.instructions.insert(code_.instructions.end(), body.begin(), body.end());
}

void JitLowering::give(const std::set<std::string>& names) {
  for (const std::string& n : names)
    if (const Compiler::Variable* v = c_.find(n); v && v->type.is_number())
      if (const Scalar& s = scalar(*v, n); !s.free || s.assigned) store(s);
}

void JitLowering::take(const std::set<std::string>& names) {
  for (const std::string& n : names)
    if (const Compiler::Variable* v = c_.find(n); v && v->type.is_number()) load(scalar(*v, n));
}

Operand JitLowering::eval(const mir::Expr& e, Operand want) {
  const bool is_int = e.type.is(BaseType::Int);
  unit_.expressions.push_back(c_.expr(e));
  give(mir::variables(e));
  const Operand to = place(want, is_int ? RegisterKind::Int : RegisterKind::Real);
  const ExprNode* const node = unit_.expressions.back().get();
  push({.op = is_int ? Op::EvalInt : Op::EvalReal, .traced = node->may_ref, .to = to, .pointer = node});
  return to;
}

void JitLowering::run_node(StmtPtr node, const std::set<std::string>& reads, const std::set<std::string>& assigns) {
  unit_.statements.push_back(std::move(node));
  give(reads);
  push({.op = Op::Run, .pointer = unit_.statements.back().get()});
  take(assigns);
}

void JitLowering::run_node(const mir::Stmt& s) {
  std::set<std::string> reads = mentioned(s);
  const std::set<std::string> assigns = mir::assigned_variables(s);
  reads.insert(assigns.begin(), assigns.end());
  run_node(c_.statement(s), reads, assigns);
}

std::set<std::string> JitLowering::mentioned(const mir::Stmt& top) {
  std::set<std::string> out;
  mir::each_substmt(top, [&](const mir::Stmt& s) {
    mir::each_expr(s, [&](const mir::Expr& e) { out.merge(mir::variables(e)); });
  });
  return out;
}

// ---------------------------------------------------------------- views

std::uint32_t JitLowering::view_of(const std::string& variable, Span span, const Type& container, bool writes) {
  const Compiler::Variable& v = c_.lookup(span, variable);
  if (const auto open = open_.find(v.slot); open != open_.end()) return open->second;
  return open_view(variable, v.slot, v.may_ref, container, writes);
}

std::uint32_t JitLowering::open_view(const std::string& variable, std::size_t slot, bool may_ref, const Type& container, bool writes) {
  const int depth = container.depth() - container.array_dims();
  if (container.array_dims() + depth > 5) throw NotLowered{};
  code_.views.push_back({.slot = static_cast<std::uint32_t>(slot), .rank = static_cast<std::uint8_t>(container.array_dims()),
                         .inner = static_cast<std::uint8_t>(depth), .ints = container.base() == BaseType::Int, .traced = may_ref, .writes = writes, .name = name(variable)});
  const auto v = static_cast<std::uint32_t>(code_.views.size() - 1);
  push({.op = Op::View, .at = v});
  return v;
}

std::vector<std::size_t> JitLowering::open_views(const mir::Stmt& loop) {
  std::vector<std::size_t> opened;
  for (const Viewed& x : viewed_containers(loop)) {
    const Compiler::Variable* v = c_.find(x.name);
    if (!v || open_.contains(v->slot)) continue;
    open_[v->slot] = open_view(x.name, v->slot, v->may_ref, x.type, x.written);
    opened.push_back(v->slot);
  }
  return opened;
}

void JitLowering::close_views(const std::vector<std::size_t>& opened) {
  for (const std::size_t slot : opened) open_.erase(slot);
}

std::unique_ptr<JitUnit> lower_to_jit(Compiler& compiler, const mir::Stmt& s, std::string label, std::shared_ptr<JitShare> share, Inlining* inlining) {
  if (mir::node_count(s) > kMostNodes) return nullptr;
  const bool always = share->always();
  auto unit = std::make_unique<JitUnit>(std::move(share));
  unit->code.label = std::move(label);
  try {
    JitLowering lowering(compiler, *unit, s, inlining);
    const Compiler::Scope scope(compiler);
    lowering.run(s);
    return always || lowering.pays() ? std::move(unit) : nullptr;
  } catch (const NotLowered&) {
    return nullptr;
  }
}

}  // namespace fermiac::interp
