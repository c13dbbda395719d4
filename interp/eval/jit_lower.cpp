#include "interp/eval/jit_lower.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "codegen/native/native.h"
#include "codegen/native/views.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "support/match.h"
#include "support/stack.h"

namespace fermiac::interp {
namespace {

using jit::Condition;
using jit::Instruction;
using jit::Op;
using jit::Operand;
using jit::RegisterKind;

/// The unit stays with the nodes.
struct NotLowered {};

constexpr std::size_t kMostNodes = 20000;         // of the statement
constexpr std::size_t kMostInstructions = 8000;

bool is_number(const Type& type) { return type.is(BaseType::Int) || type.is(BaseType::Real); }

// ---------------------------------------------------------------- operators

struct Operator {
  std::string_view op, function;
  Op real, ints;
};
constexpr Operator kOperators[] = {
    {"Plus__", "add", Op::Add, Op::AddInt},
    {"Minus__", "subtract", Op::Subtract, Op::SubtractInt},
    {"Times__", "multiply", Op::Multiply, Op::MultiplyInt},
    {"Divide__", "divide", Op::Divide, Op::DivideInt},
    {"EltTimes__", "elt_multiply", Op::Multiply, Op::MultiplyInt},
    {"EltDivide__", "elt_divide", Op::Divide, Op::DivideInt},
    {"IntDivide__", "int_divide", Op::Exit, Op::DivideInt},  // of ints only
    {"Modulo__", "modulus", Op::Exit, Op::ModulusInt},
};
struct Comparison {
  std::string_view op, function;
  Condition condition;
};
constexpr Comparison kComparisons[] = {
    {"Less__", "logical_lt", Condition::Less},          {"Leq__", "logical_lte", Condition::LessOrEqual},
    {"Greater__", "logical_gt", Condition::Greater},    {"Geq__", "logical_gte", Condition::GreaterOrEqual},
    {"Equals__", "logical_eq", Condition::Equal},       {"NEquals__", "logical_neq", Condition::NotEqual},
};
/// Maps that are one instruction.
struct Unary {
  std::string_view map;
  Op op;
};
constexpr Unary kUnary[] = {{"sqrt", Op::Sqrt}};

template <class Row>
const Row* find_row(std::span<const Row> table, std::string_view name) {
  const auto it = std::ranges::find_if(table, [&](const Row& row) { return name == row.op || name == row.function; });
  return it == table.end() ? nullptr : &*it;
}

bool is_power(std::string_view name) { return name == "Pow__" || name == "EltPow__" || name == "pow"; }

std::optional<double> literal_value(const mir::Expr& e) {
  if (const auto* p = std::get_if<mir::Promotion>(&e.node)) return literal_value(*p->operand);
  const mir::Lit* l = mir::as_lit(e);
  if (!l || l->kind == mir::Lit::Kind::Str || l->kind == mir::Lit::Kind::Imaginary) return std::nullopt;
  return std::strtod(l->text.c_str(), nullptr);
}

/// The right side of `s` if it assigns the whole of `name` without reading it.
bool initialises(const mir::Stmt* s, const std::string& name) {
  const auto* a = s ? std::get_if<mir::Assignment>(&s->node) : nullptr;
  return a && !a->left.tuple && a->left.variable == name && a->left.indexes.empty() && !depends_on(*a->right, {name});
}

/// All names that a statement mentions anywhere.
std::set<std::string> mentioned(const mir::Stmt& top) {
  std::set<std::string> out;
  mir::each_substmt(top, [&](const mir::Stmt& s) {
    mir::each_expr(s, [&](const mir::Expr& e) { out.merge(mir::variables(e)); });
  });
  return out;
}

class Lowering {
 public:
  Lowering(Compiler& compiler, JitUnit& unit, const mir::Stmt& top, Inlining* inlining)
      : c_(compiler), inlining_(inlining), unit_(unit), code_(unit.code), first_slot_(compiler.slot_count()), assigned_(mir::assigned_variables(top)) {}

  void run(const mir::Stmt& top) {
    ends_[0] = label(), ends_[1] = label();
    stmt(top);
    bind(ends_[0]);
    leave(Flow::Next);
    bind(ends_[1]);
    leave(Flow::Return);
    load_free();
  }
  /// Whether the code does more than run nodes.
  bool pays() const { return own_ > 1 && own_ > 2 * (unit_.expressions.size() + unit_.statements.size()); }

 private:
  struct Loop {
    std::uint32_t next, end;
  };

  // ---------------------------------------------------------------- pieces of code

  Operand fresh(RegisterKind kind) {
    code_.registers.push_back(kind);
    return Operand::reg(static_cast<std::uint32_t>(code_.registers.size() - 1));
  }
  Operand place(Operand want, RegisterKind kind) { return want.is_none() ? fresh(kind) : want; }
  std::uint32_t label() { return code_.labels++; }
  Instruction& push(Instruction i) {
    if (code_.instructions.size() >= kMostInstructions) throw NotLowered{};
    i.site = index_of(site_);
    code_.instructions.push_back(i);
    return code_.instructions.back();
  }
  void bind(std::uint32_t l) { push({.op = Op::Label, .at = l}); }
  void jump(std::uint32_t l) { push({.op = Op::Jump, .at = l}); }

  Operand real_constant(double x) {
    const auto [it, added] = reals_.try_emplace(std::bit_cast<std::uint64_t>(x), static_cast<std::uint32_t>(code_.reals.size()));
    if (added) code_.reals.push_back(x);
    return Operand::real_constant(it->second);
  }
  Operand int_constant(std::int32_t x) {
    const auto [it, added] = ints_.try_emplace(x, static_cast<std::uint32_t>(code_.ints.size()));
    if (added) code_.ints.push_back(x);
    return Operand::int_constant(it->second);
  }
  std::uint32_t name(const std::string& text) {
    const auto [it, added] = names_.try_emplace(text, static_cast<std::uint32_t>(code_.names.size()));
    if (added) code_.names.push_back(text);
    return it->second;
  }

  // ---------------------------------------------------------------- variables

  struct Scalar {
    Operand reg;
    std::size_t slot = 0;
    RegisterKind kind{};
    bool free = false;      // declared around the unit
    bool assigned = false;  // somewhere in it
    bool may_ref = false;
  };

  /// The register of a variable. What is declared around the unit comes from its slot where the unit begins.
  Scalar& scalar(const Compiler::Variable& v, const std::string& variable) {
    const auto [it, added] = scalars_.try_emplace(v.slot);
    Scalar& s = it->second;
    if (!added) return s;
    const RegisterKind kind = v.type.is(BaseType::Int) ? RegisterKind::Int : RegisterKind::Real;
    s = {fresh(kind), v.slot, kind, v.slot < first_slot_, assigned_.contains(variable), v.may_ref};
    return s;
  }
  Operand variable(const mir::Expr& e, const std::string& name) { return scalar(c_.lookup(e.span, name), name).reg; }
  Operand declare(const std::string& name, const Type& type) {
    return scalar(c_.declare(name, type, c_.derivatives_possible()), name).reg;
  }

  void store(const Scalar& s) {
    push({.op = s.kind == RegisterKind::Real ? Op::StoreReal : Op::StoreInt, .a = s.reg, .at = static_cast<std::uint32_t>(s.slot)});
  }
  void load(const Scalar& s) {
    push({.op = s.kind == RegisterKind::Real ? Op::LoadReal : Op::LoadInt, .traced = s.may_ref, .to = s.reg, .at = static_cast<std::uint32_t>(s.slot)});
  }
  /// Numbers go back to their slots where the unit ends.
  void leave(Flow flow) {
    for (const auto& [slot, s] : scalars_)
      if (s.free && s.assigned) store(s);
    push({.op = Op::Exit, .at = static_cast<std::uint32_t>(flow)});
  }
  /// In front of everything else, for it is known last.
  void load_free() {
    std::vector<Instruction> body = std::move(code_.instructions);
    code_.instructions.clear();
    for (const auto& [slot, s] : scalars_)
      if (s.free) load(s);
    code_.instructions.insert(code_.instructions.end(), body.begin(), body.end());
  }

  /// The numbers that nodes find in slots.
  void give(const std::set<std::string>& names) {
    for (const std::string& n : names)
      if (const Compiler::Variable* v = c_.find(n); v && is_number(v->type))
        if (const Scalar& s = scalar(*v, n); !s.free || s.assigned) store(s);
  }
  /// Those that nodes have assigned.
  void take(const std::set<std::string>& names) {
    for (const std::string& n : names)
      if (const Compiler::Variable* v = c_.find(n); v && is_number(v->type)) load(scalar(*v, n));
  }

  // ---------------------------------------------------------------- nodes

  Operand eval(const mir::Expr& e, Operand want) {
    const bool is_int = e.type.is(BaseType::Int);
    unit_.expressions.push_back(c_.expr(e));
    give(mir::variables(e));
    const Operand to = place(want, is_int ? RegisterKind::Int : RegisterKind::Real);
    const ExprNode* const node = unit_.expressions.back().get();
    push({.op = is_int ? Op::EvalInt : Op::EvalReal, .traced = node->may_ref, .to = to, .pointer = node});
    return to;
  }
  void run_node(StmtPtr node, const std::set<std::string>& reads, const std::set<std::string>& assigns) {
    unit_.statements.push_back(std::move(node));
    give(reads);
    push({.op = Op::Run, .pointer = unit_.statements.back().get()});
    take(assigns);
  }
  void run_node(const mir::Stmt& s) {
    std::set<std::string> reads = mentioned(s);
    const std::set<std::string> assigns = mir::assigned_variables(s);
    reads.insert(assigns.begin(), assigns.end());
    run_node(c_.statement(s), reads, assigns);
  }

  // ---------------------------------------------------------------- expressions

  Operand number(const mir::Expr& e, Operand want = {}) { return e.type.is(BaseType::Int) ? integer(e, want) : real(e, want); }

  Operand moved(Operand x, Operand want, Op op) {
    if (want.is_none() || want == x) return x;
    push({.op = op, .to = want, .a = x});
    return want;
  }

  /// An int or real expression as a real.
  Operand real(const mir::Expr& e, Operand want = {}) {
    if (stack_runs_out()) throw NotLowered{};
    if (e.type.is(BaseType::Int)) return to_real(integer(e), want);
    if (!e.type.is(BaseType::Real)) throw NotLowered{};
    return match(
        e.node, [&](const mir::Var& v) { return moved(variable(e, v.name), want, Op::Move); },
        [&](const mir::Lit& l) { return moved(real_constant(std::strtod(l.text.c_str(), nullptr)), want, Op::Move); },
        [&](const mir::FunApp& f) { return real_call(e, f, want); },
        [&](const mir::TernaryIf& t) { return ternary(e, t, want); }, [&](const mir::EAnd&) { return eval(e, want); },
        [&](const mir::EOr&) { return eval(e, want); }, [&](const mir::Indexed&) { return element(e, want); },
        [&](const mir::Promotion& p) { return promotion(e, p, want); },
        [&](const mir::TupleProjection&) { return eval(e, want); });
  }

  Operand to_real(Operand x, Operand want) {
    if (x.is_int_constant()) return moved(real_constant(code_.ints[x.index()]), want, Op::Move);
    const Operand to = place(want, RegisterKind::Real);
    push({.op = Op::ToReal, .to = to, .a = x});
    return to;
  }
  Operand promotion(const mir::Expr& e, const mir::Promotion& p, Operand want) {
    return is_number(p.operand->type) && p.scalar.is(BaseType::Real) ? real(*p.operand, want) : eval(e, want);
  }

  Operand integer(const mir::Expr& e, Operand want = {}) {
    if (stack_runs_out() || !e.type.is(BaseType::Int)) throw NotLowered{};
    return match(
        e.node, [&](const mir::Var& v) { return moved(variable(e, v.name), want, Op::MoveInt); },
        [&](const mir::Lit& l) { return moved(int_literal(l), want, Op::MoveInt); },
        [&](const mir::FunApp& f) { return int_call(e, f, want); },
        [&](const mir::TernaryIf& t) { return ternary(e, t, want); }, [&](const mir::EAnd&) { return truth(e, want); },
        [&](const mir::EOr&) { return truth(e, want); }, [&](const mir::Indexed&) { return element(e, want); },
        [&](const mir::Promotion&) { return eval(e, want); }, [&](const mir::TupleProjection&) { return eval(e, want); });
  }
  Operand int_literal(const mir::Lit& l) {
    const long long value = std::strtoll(l.text.c_str(), nullptr, 10);
    if (value > std::numeric_limits<std::int32_t>::max() || value < std::numeric_limits<std::int32_t>::min()) throw NotLowered{};
    return int_constant(static_cast<std::int32_t>(value));
  }

  /// 1 or 0 by a branch.
  Operand truth(const mir::Expr& e, Operand want) {
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

  Operand ternary(const mir::Expr& e, const mir::TernaryIf& t, Operand want) {
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

  /// `x[i, j]` of a variable, down to a number; anything else is a node.
  Operand element(const mir::Expr& e, Operand want) {
    const codegen::native::ElementAccess access = codegen::native::element_access(e);
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
  std::vector<Operand> indexes(const std::vector<mir::ExprPtr>& list) {
    std::vector<Operand> out;
    for (const mir::ExprPtr& i : list) out.push_back(integer(*i));
    return out;
  }
  Instruction with_list(Instruction i, const std::vector<Operand>& list) {
    i.first = static_cast<std::uint32_t>(code_.lists.size());
    i.count = static_cast<std::uint16_t>(list.size());
    code_.lists.insert(code_.lists.end(), list.begin(), list.end());
    return i;
  }

  // ---------------------------------------------------------------- calls

  Operand int_call(const mir::Expr& e, const mir::FunApp& f, Operand want) {
    const auto* fn = std::get_if<mir::StanLib>(&f.fn);
    if (fn && is_truth(e)) return comparison_value(e, f, want);
    if (fn && all_ints(f.args))
      if (const std::optional<Operand> done = int_operator(*fn, f.args, want)) return *done;
    return other_call(e, f, want);
  }
  std::optional<Operand> int_operator(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args, Operand want) {
    if (args.size() == 1 && (fn.name == "PPlus__" || fn.name == "plus")) return integer(*args[0], want);
    if (args.size() == 1 && (fn.name == "PMinus__" || fn.name == "minus"))
      return operation({.op = Op::NegateInt, .a = integer(*args[0])}, want, RegisterKind::Int);
    const Operator* op = args.size() == 2 ? find_row<Operator>(kOperators, fn.name) : nullptr;
    if (!op) return std::nullopt;
    const Operand a = integer(*args[0]);
    return operation({.op = op->ints, .a = a, .b = integer(*args[1])}, want, RegisterKind::Int);
  }
  Operand operation(Instruction i, Operand want, RegisterKind kind) {
    ++own_;
    i.passive = passive_ && want.is_none();
    i.to = place(want, kind);
    push(i);
    return i.to;
  }
  Operand comparison_value(const mir::Expr& e, const mir::FunApp& f, Operand want) {
    const Comparison* compare = comparison(e);
    if (!compare) return truth(e, want);
    const bool ints = all_ints(f.args);
    const Operand a = ints ? integer(*f.args[0]) : compared(*f.args[0]);
    const Operand b = ints ? integer(*f.args[1]) : compared(*f.args[1]);
    return operation({.op = ints ? Op::TestInt : Op::Test, .condition = compare->condition, .a = a, .b = b}, want, RegisterKind::Int);
  }

  Operand real_call(const mir::Expr& e, const mir::FunApp& f, Operand want) {
    const auto* fn = std::get_if<mir::StanLib>(&f.fn);
    if (fn && all_numbers(f.args))
      if (const std::optional<Operand> done = real_operator(*fn, f.args, want)) return *done;
    const auto* internal = std::get_if<mir::CompilerInternal>(&f.fn);
    if (internal && internal->fn == mir::Internal::FnNegInf)
      return moved(real_constant(-std::numeric_limits<double>::infinity()), want, Op::Move);
    return other_call(e, f, want);
  }
  std::optional<Operand> real_operator(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args, Operand want) {
    if (args.size() == 1 && (fn.name == "PPlus__" || fn.name == "plus")) return real(*args[0], want);
    if (args.size() == 1 && (fn.name == "PMinus__" || fn.name == "minus"))
      return operation({.op = Op::Negate, .a = real(*args[0])}, want, RegisterKind::Real);
    if (args.size() == 2)
      if (const Operator* op = find_row<Operator>(kOperators, fn.name)) {
        if (op->real == Op::Exit) return std::nullopt;
        const Operand a = real(*args[0]);
        return operation({.op = op->real, .a = a, .b = real(*args[1])}, want, RegisterKind::Real);
      }
    return map(fn, args, want);
  }

  std::optional<Operand> map(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args, Operand want) {
    if (is_power(fn.name) && args.size() == 2 && literal_value(*args[1]) == 2.0) return square(real(*args[0]), want);
    const ad::MapCode code = scalar_map_code(fn.name, args.size());
    if (args.empty() || code == ad::kNoMap) return std::nullopt;
    const ad::MapOp& op = ad::map_op(code);
    if (op.name == "square") return square(real(*args[0]), want);
    for (const Unary& u : kUnary)
      if (u.map == op.name) return operation({.op = u.op, .a = real(*args[0])}, want, RegisterKind::Real);
    const std::vector<Operand> at = map_operands(args);
    const bool total = op.total && !fn.propto;
    return operation(with_list({.op = total ? Op::Map : Op::MapChecked, .pointer = map_of(code, fn.propto, args)}, at), want, RegisterKind::Real);
  }
  std::vector<Operand> map_operands(const std::vector<mir::ExprPtr>& args) {
    const bool before = std::exchange(passive_, false);
    std::vector<Operand> out;
    for (const mir::ExprPtr& a : args) out.push_back(real(*a));
    passive_ = before;
    return out;
  }
  const JitMap* map_of(ad::MapCode code, bool propto, const std::vector<mir::ExprPtr>& args) {
    const ad::MapOp& op = ad::map_op(code);
    unit_.maps.push_back(std::make_unique<JitMap>(JitMap{{&op, nullptr, index_of(code)}, c_.dropping(propto, args), op.arity}));
    return unit_.maps.back().get();
  }
  Operand square(Operand x, Operand want) { return operation({.op = Op::Multiply, .a = x, .b = x}, want, RegisterKind::Real); }

  // ---------------------------------------------------------------- functions in place of their calls

  /// Where `return` goes in a function that stands in place of its call.
  struct Inlined {
    Operand result;
    std::uint32_t end = 0;
  };

  /// Every operand a number, or a variable that is a container: nobody assigns to arguments.
  static bool passes_plainly(const std::vector<mir::ExprPtr>& args) {
    return std::ranges::all_of(args, [](const mir::ExprPtr& a) { return is_number(a->type) || mir::as_var(*a); });
  }
  const mir::Function* inlined_function(const mir::Expr& e, const mir::FunApp& f) {
    const auto* user = std::get_if<mir::UserDefined>(&f.fn);
    if (!user || !inlining_ || user->propto || inlined_.size() >= kMostInlined || !passes_plainly(f.args)) return nullptr;
    std::vector<Type> types;
    for (const mir::ExprPtr& a : f.args) types.push_back(a->type);
    const FunctionCode& code = c_.user_function(e.span, user->name, types);
    const mir::Function* function = code.adjoints.empty() ? c_.definition(code) : nullptr;
    return function && code_.instructions.size() < kMostInstructions / 2 && inlining_->takes(*function) ? function : nullptr;
  }
  Operand inlined_call(const mir::Function& function, const std::vector<mir::ExprPtr>& args, Operand want) {
    const Site at = site_;
    const bool before = std::exchange(passive_, false);
    const RegisterKind kind = function.result->is(BaseType::Int) ? RegisterKind::Int : RegisterKind::Real;
    const Operand result = fresh(kind);
    std::vector<Operand> numbers;
    for (std::size_t i = 0; i < args.size(); ++i) numbers.push_back(is_number(args[i]->type) ? argument(function.args[i].type, *args[i]) : Operand());
    const Compiler::InFunction in_function(c_);
    const Compiler::Scope scope(c_);
    name_arguments(function, args, numbers);
    inlined_.push_back({result, label()});
    std::vector<Loop> loops = std::exchange(loops_, {});
    stmt(*function.body);
    loops_ = std::move(loops);
    bind(inlined_.back().end);
    inlined_.pop_back();
    site_ = at;
    passive_ = before;
    return moved(result, want, kind == RegisterKind::Int ? Op::MoveInt : Op::Move);
  }
  Operand argument(const Type& formal, const mir::Expr& e) { return formal.is(BaseType::Int) ? integer(e) : real(e); }
  /// All operands have been computed: their names may be the ones of arguments.
  void name_arguments(const mir::Function& function, const std::vector<mir::ExprPtr>& args, const std::vector<Operand>& numbers) {
    std::vector<Compiler::Variable> containers;
    for (const mir::ExprPtr& a : args)
      if (!is_number(a->type)) containers.push_back(c_.lookup(a->span, mir::as_var(*a)->name));
    std::size_t next = 0;
    for (std::size_t i = 0; i < args.size(); ++i) {
      const mir::FunctionArg& formal = function.args[i];
      if (is_number(args[i]->type)) moved(numbers[i], declare(formal.name, formal.type), formal.type.is(BaseType::Int) ? Op::MoveInt : Op::Move);
      else c_.alias(formal.name, containers[next++]);
    }
  }

  /// A call whose operands are numbers needs no node.
  Operand other_call(const mir::Expr& e, const mir::FunApp& f, Operand want) {
    if (const mir::Function* function = inlined_function(e, f)) return inlined_call(*function, f.args, want);
    if (const auto* fn = std::get_if<mir::StanLib>(&f.fn); fn && is_choice(*fn, f.args)) return choice(*fn, f.args, want);
    std::unique_ptr<JitCall> call = all_numbers(f.args) && f.args.size() <= kMostArguments ? call_of_numbers(e, f) : nullptr;
    if (!call) return eval(e, want);
    const bool before = std::exchange(passive_, false);
    std::vector<Operand> at;
    for (const mir::ExprPtr& a : f.args) at.push_back(number(*a));
    passive_ = before;
    call->count = static_cast<std::uint32_t>(at.size());
    unit_.calls.push_back(std::move(call));
    const RegisterKind kind = e.type.is(BaseType::Int) ? RegisterKind::Int : RegisterKind::Real;
    const JitCall* const called = unit_.calls.back().get();
    const bool reads_target = called->function && called->function->suffix == Suffix::Target;
    return operation(with_list({.op = Op::Call, .traced = reads_target, .pointer = called}, at), want, kind);
  }
  static bool is_choice(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args) {
    return (fn.name == "min" || fn.name == "max") && args.size() == 2 && all_ints(args);
  }
  Operand choice(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args, Operand want) {
    const Operand a = in_register(integer(*args[0])), b = integer(*args[1]);
    const std::uint32_t end = label();
    push({.op = Op::JumpIfInt, .condition = fn.name == "min" ? Condition::LessOrEqual : Condition::GreaterOrEqual, .a = a, .b = b, .at = end});
    push({.op = Op::MoveInt, .to = a, .a = b});
    bind(end);
    return moved(a, want, Op::MoveInt);
  }
  std::unique_ptr<JitCall> call_of_numbers(const mir::Expr& e, const mir::FunApp& f) {
    auto call = std::make_unique<JitCall>();
    if (const auto* user = std::get_if<mir::UserDefined>(&f.fn)) {
      std::vector<Type> types;
      for (const mir::ExprPtr& a : f.args) types.push_back(a->type);
      call->function = &c_.user_function(e.span, user->name, types);
      call->dropping = c_.dropping(user->propto, f.args);
      return call->function->adjoints.empty() ? std::move(call) : nullptr;
    }
    const auto* library = std::get_if<mir::StanLib>(&f.fn);
    if (!library || library->name == "target" || is_laplace(library->name)) return nullptr;
    if (library->suffix == Suffix::Target || library->suffix == Suffix::Jacobian) return nullptr;
    call->builtin = Builtin::find(library->name);
    call->dropping = c_.dropping(library->propto, f.args);
    // What nodes make of it decides, where they have more than the function.
    const bool is_map = scalar_map_code(library->name, f.args.size()) != ad::kNoMap;
    return call->builtin && !is_map ? std::move(call) : nullptr;
  }

  static bool all_numbers(const std::vector<mir::ExprPtr>& args) {
    return std::ranges::all_of(args, [](const mir::ExprPtr& a) { return is_number(a->type); });
  }
  static bool all_ints(const std::vector<mir::ExprPtr>& args) {
    return std::ranges::all_of(args, [](const mir::ExprPtr& a) { return a->type.is(BaseType::Int); });
  }

  // ---------------------------------------------------------------- conditions

  static const mir::FunApp* library_of_numbers(const mir::Expr& e) {
    const mir::FunApp* f = mir::as_call(e);
    return f && std::holds_alternative<mir::StanLib>(f->fn) && all_numbers(f->args) ? f : nullptr;
  }
  static const Comparison* comparison(const mir::Expr& e) {
    const mir::FunApp* f = library_of_numbers(e);
    return f && f->args.size() == 2 ? find_row<Comparison>(kComparisons, std::get<mir::StanLib>(f->fn).name) : nullptr;
  }
  static const mir::Expr* negated(const mir::Expr& e) {
    const mir::FunApp* f = library_of_numbers(e);
    if (!f || f->args.size() != 1 || !f->args[0]->type.is(BaseType::Int)) return nullptr;
    const std::string& name = std::get<mir::StanLib>(f->fn).name;
    return name == "PNot__" || name == "logical_negation" ? f->args[0].get() : nullptr;
  }
  static bool is_truth(const mir::Expr& e) { return comparison(e) || negated(e); }

  /// Jumps to `otherwise` unless the condition holds.
  void unless(const mir::Expr& e, std::uint32_t otherwise) { branch(e, otherwise, false); }

  /// Jumps to `to` where the condition holds (`when`), or where it does not; else goes on.
  void branch(const mir::Expr& e, std::uint32_t to, bool when) {
    if (stack_runs_out()) throw NotLowered{};
    if (const auto* a = std::get_if<mir::EAnd>(&e.node)) return both(*a->left, *a->right, to, when, false);
    if (const auto* o = std::get_if<mir::EOr>(&e.node)) return both(*o->left, *o->right, to, when, true);
    if (const mir::Expr* inner = negated(e)) return branch(*inner, to, !when);
    if (const Comparison* compare = comparison(e)) return compare_and_jump(e, compare->condition, to, when);
    const Operand x = integer(e);
    push({.op = Op::JumpIfInt, .condition = when ? Condition::NotEqual : Condition::Equal, .a = x, .b = int_constant(0), .at = to});
  }
  /// `&&`, or `||` if `any`.
  void both(const mir::Expr& left, const mir::Expr& right, std::uint32_t to, bool when, bool any) {
    if (when == any) return branch(left, to, when), branch(right, to, when);
    const std::uint32_t skip = label();
    branch(left, skip, !when);
    branch(right, to, when);
    bind(skip);
  }
  void compare_and_jump(const mir::Expr& e, Condition condition, std::uint32_t to, bool when) {
    ++own_;
    const std::vector<mir::ExprPtr>& args = mir::as_call(e)->args;
    if (all_ints(args)) {
      Operand a = integer(*args[0]);
      const Operand b = integer(*args[1]);
      if (a.is_int_constant()) a = in_register(a);
      push({.op = Op::JumpIfInt, .condition = when ? condition : jit::opposite(condition), .a = a, .b = b, .at = to});
      return;
    }
    const Operand a = compared(*args[0]);
    push({.op = when ? Op::JumpIf : Op::JumpUnless, .condition = condition, .a = a, .b = compared(*args[1]), .at = to});
  }
  /// Nothing but the outcome depends on it: its arithmetic needs no derivatives.
  Operand compared(const mir::Expr& e) {
    const bool before = std::exchange(passive_, true);
    const Operand x = real(e);
    passive_ = before;
    return x;
  }
  Operand in_register(Operand x) {
    const Operand to = fresh(RegisterKind::Int);
    push({.op = Op::MoveInt, .to = to, .a = x});
    return to;
  }

  // ---------------------------------------------------------------- views

  /// The view that a loop around has opened, or one for this use alone.
  std::uint32_t view_of(const std::string& variable, Span span, const Type& container, bool writes) {
    const Compiler::Variable& v = c_.lookup(span, variable);
    if (const auto open = open_.find(v.slot); open != open_.end()) return open->second;
    return open_view(variable, v.slot, v.may_ref, container, writes);
  }
  std::uint32_t open_view(const std::string& variable, std::size_t slot, bool may_ref, const Type& container, bool writes) {
    const int depth = codegen::native::depth_of(container) - container.array_dims();
    if (container.array_dims() + depth > 5) throw NotLowered{};
    code_.views.push_back({.slot = static_cast<std::uint32_t>(slot), .rank = static_cast<std::uint8_t>(container.array_dims()),
                           .inner = static_cast<std::uint8_t>(depth), .ints = container.base() == BaseType::Int, .traced = may_ref, .writes = writes, .name = name(variable)});
    const auto v = static_cast<std::uint32_t>(code_.views.size() - 1);
    push({.op = Op::View, .at = v});
    return v;
  }
  /// Those that a loop uses by elements alone, and none around it has opened.
  std::vector<std::size_t> open_views(const mir::Stmt& loop) {
    std::vector<std::size_t> opened;
    for (const codegen::native::Viewed& x : codegen::native::viewed_containers(loop)) {
      const Compiler::Variable* v = c_.find(x.name);
      if (!v || open_.contains(v->slot)) continue;
      open_[v->slot] = open_view(x.name, v->slot, v->may_ref, x.type, x.written);
      opened.push_back(v->slot);
    }
    return opened;
  }
  void close_views(const std::vector<std::size_t>& opened) {
    for (const std::size_t slot : opened) open_.erase(slot);
  }

  // ---------------------------------------------------------------- statements

  void stmt(const mir::Stmt& s) {
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
  void scoped(const mir::Stmt& s) {
    const Compiler::Scope scope(c_);
    stmt(s);
  }
  void scoped_list(const std::vector<mir::StmtPtr>& body) {
    const Compiler::Scope scope(c_);
    list(body);
  }
  void list(const std::vector<mir::StmtPtr>& body) {
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

  void assignment(const mir::Stmt& s, const mir::Assignment& a) {
    const mir::LValue& left = a.left;
    if (left.tuple) return run_node(s);
    const Compiler::Variable to = c_.lookup(s.span, left.variable);
    if (left.indexes.empty()) {
      if (!is_number(to.type)) return run_node(s);
      const Operand reg = scalar(to, left.variable).reg;
      to.type.is(BaseType::Int) ? integer(*a.right, reg) : real(*a.right, reg);
      return;
    }
    const bool element = codegen::native::all_single(left.indexes) && is_number(mir::indexed_type(to.type, left.indexes));
    element ? set_element(s, a, to.type) : run_node(s);
  }
  /// A density of numbers; other terms are nodes.
  void target(const mir::Stmt& s, const mir::Expr& value) {
    const mir::FunApp* call = library_of_numbers(value);
    const auto* fn = call ? &std::get<mir::StanLib>(call->fn) : nullptr;
    const ad::MapCode code = fn && value.type.is(BaseType::Real) ? scalar_map_code(fn->name, call->args.size()) : ad::kNoMap;
    if (code == ad::kNoMap || !ad::map_op(code).density) return run_node(s);
    ++own_;
    const std::vector<Operand> at = map_operands(call->args);
    push(with_list({.op = Op::Target, .pointer = map_of(code, fn->propto, call->args)}, at));
  }
  /// The right side comes first, the indexes behind it.
  void set_element(const mir::Stmt& s, const mir::Assignment& a, const Type& container) {
    ++own_;
    const bool is_int = container.base() == BaseType::Int;
    const Operand x = is_int ? integer(*a.right) : real(*a.right);
    std::vector<mir::ExprPtr> at;
    for (const mir::Index& i : a.left.indexes) at.push_back(i.low);
    const std::vector<Operand> index = indexes(at);
    const std::uint32_t v = view_of(a.left.variable, s.span, container, true);
    push(with_list({.op = is_int ? Op::SetElementInt : Op::SetElement, .a = x, .at = v}, index));
  }

  /// Whether `next` is done with it.
  bool declaration(const mir::Stmt& s, const mir::Decl& d, const mir::Stmt* next) {
    const auto* sized = std::get_if<mir::SizedType>(&d.type);
    const Type type = sized ? sized->type() : std::get<Type>(d.type);
    if (is_number(type)) {
      declare_number(d, type, next);
      return false;
    }
    std::set<std::string> reads = mentioned(s);
    if (next) reads.merge(mentioned(*next));
    bool took_next = false;
    run_node(c_.declaration(s, d, next, took_next), reads, {});
    return took_next;
  }
  void declare_number(const mir::Decl& d, const Type& type, const mir::Stmt* next) {
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

  void returns(const mir::Stmt& s, const mir::Return& r) {
    if (!inlined_.empty()) {
      const Inlined to = inlined_.back();
      code_.registers[to.result.index()] == RegisterKind::Int ? integer(*r.value, to.result) : real(*r.value, to.result);
      return jump(to.end);
    }
    if (r.value && is_number(r.value->type)) {
      const Operand x = number(*r.value);
      push({.op = r.value->type.is(BaseType::Int) ? Op::ResultInt : Op::ResultReal, .a = x});
    } else if (r.value) {
      run_node(s);
    }
    jump(ends_[1]);
  }

  void conditional(const mir::IfElse& i) {
    const std::uint32_t otherwise = label(), end = label();
    unless(*i.test, otherwise);
    scoped(*i.yes);
    if (i.no) jump(end);
    bind(otherwise);
    if (i.no) scoped(*i.no);
    bind(end);
  }

  void body(const mir::Stmt& s, Loop loop) {
    ++own_;
    loops_.push_back(loop);
    scoped(s);
    loops_.pop_back();
  }

  void while_loop(const mir::Stmt& s, const mir::While& w) {
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

  /// The bound is compared before the variable moves on, so that the largest int can be it.
  void for_loop(const mir::Stmt& s, const mir::For& f) {
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

  static constexpr std::size_t kMostArguments = 8;

  static constexpr std::size_t kMostInlined = 4;       // within one another

  Compiler& c_;
  Inlining* inlining_;
  std::vector<Inlined> inlined_;
  JitUnit& unit_;
  jit::Code& code_;
  std::size_t first_slot_;
  std::set<std::string> assigned_;
  std::map<std::size_t, Scalar> scalars_;              // by slot
  std::unordered_map<std::size_t, std::uint32_t> open_;  // views, by slot
  std::unordered_map<std::uint64_t, std::uint32_t> reals_;
  std::unordered_map<std::int32_t, std::uint32_t> ints_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::vector<Loop> loops_;
  std::uint32_t ends_[2] = {};
  std::size_t own_ = 0;                                // operations that are not nodes
  bool passive_ = false;                               // only a comparison is made of what is lowered
  Site site_ = kNoSite;
};

}  // namespace

std::unique_ptr<JitUnit> lower_to_jit(Compiler& compiler, const mir::Stmt& s, std::string label, std::shared_ptr<JitShare> share, Inlining* inlining) {
  if (mir::node_count(s) > kMostNodes) return nullptr;
  const bool always = share->always();
  auto unit = std::make_unique<JitUnit>(std::move(share));
  unit->code.label = std::move(label);
  try {
    Lowering lowering(compiler, *unit, s, inlining);
    const Compiler::Scope scope(compiler);
    lowering.run(s);
    return always || lowering.pays() ? std::move(unit) : nullptr;
  } catch (const NotLowered&) {
    return nullptr;
  }
}

}  // namespace fermiac::interp
