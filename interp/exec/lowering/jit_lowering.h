// The walk from MIR to three-address code: one statement, its numbers in registers, what is left to nodes in place.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "interp/exec/lowering/compiler.h"
#include "interp/exec/lowering/jit_inline.h"
#include "interp/exec/lowering/views.h"
#include "interp/exec/runs/jit_unit.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::interp {

/// The unit stays with the nodes.
struct NotLowered {};

class JitLowering {
  using Condition = jit::Condition;
  using Instruction = jit::Instruction;
  using Op = jit::Op;
  using Operand = jit::Operand;
  using RegisterKind = jit::RegisterKind;

 public:
  JitLowering(Compiler& compiler, JitUnit& unit, const mir::Stmt& top, Inlining* inlining)
      : c_(compiler), inlining_(inlining), unit_(unit), code_(unit.code), first_slot_(compiler.slot_count()), assigned_(mir::assigned_variables(top)) {}

  void run(const mir::Stmt& top);
  /// Whether the code does more than run nodes.
  bool pays() const { return own_ > 1 && own_ > 2 * (unit_.expressions.size() + unit_.statements.size() - terms_); }

 private:
  /// The row of a function, or of the function of an operator.
  template <class Row>
  static const Row* find_row(std::span<const Row> table, Builtin fn) {
    for (const Row& row : table)
      if (row.function == library_function(fn)) return &row;
    return nullptr;
  }

  struct Loop {
    std::uint32_t next, end;
  };

  // ---------------------------------------------------------------- pieces of code

  Operand fresh(RegisterKind kind);
  Operand place(Operand want, RegisterKind kind) { return want.is_none() ? fresh(kind) : want; }
  std::uint32_t label() { return code_.labels++; }
  Instruction& push(Instruction i);
  void bind(std::uint32_t l) { push({.op = Op::Label, .at = l}); }
  void jump(std::uint32_t l) { push({.op = Op::Jump, .at = l}); }

  Operand real_constant(double x);
  Operand int_constant(std::int32_t x);
  std::uint32_t name(const std::string& text);

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
  Scalar& scalar(const Compiler::Variable& v, const std::string& variable);
  Operand variable(const mir::Expr& e, const std::string& name) { return scalar(c_.lookup(e.span, name), name).reg; }
  Operand declare(const std::string& name, const Type& type);

  void store(const Scalar& s);
  void load(const Scalar& s);
  /// Numbers go back to their slots where the unit ends.
  void leave(Flow flow);
  /// In front of everything else, for it is known last.
  void load_free();

  /// The numbers that nodes find in slots.
  void give(const std::set<std::string>& names);
  /// Those that nodes have assigned.
  void take(const std::set<std::string>& names);

  // ---------------------------------------------------------------- nodes

  Operand eval(const mir::Expr& e, Operand want);
  void run_node(StmtPtr node, const std::set<std::string>& reads, const std::set<std::string>& assigns);
  void run_node(const mir::Stmt& s);
  /// All names that a statement mentions anywhere.
  static std::set<std::string> mentioned(const mir::Stmt& top);

  // ---------------------------------------------------------------- expressions

  Operand number(const mir::Expr& e, Operand want = {}) { return e.type.is(BaseType::Int) ? integer(e, want) : real(e, want); }

  Operand moved(Operand x, Operand want, Op op);

  /// An int or real expression as a real.
  Operand real(const mir::Expr& e, Operand want = {});

  Operand to_real(Operand x, Operand want);
  Operand promotion(const mir::Expr& e, const mir::Promotion& p, Operand want);

  Operand integer(const mir::Expr& e, Operand want = {});
  Operand int_literal(const mir::Lit& l);

  /// 1 or 0 by a branch.
  Operand truth(const mir::Expr& e, Operand want);

  Operand ternary(const mir::Expr& e, const mir::TernaryIf& t, Operand want);

  /// `x[i, j]` of a variable, down to a number; anything else is a node.
  Operand element(const mir::Expr& e, Operand want);
  std::vector<Operand> indexes(const std::vector<mir::ExprPtr>& list);
  Instruction with_list(Instruction i, const std::vector<Operand>& list);

  // ---------------------------------------------------------------- calls

  Operand int_call(const mir::Expr& e, const mir::FunApp& f, Operand want);
  std::optional<Operand> int_operator(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args, Operand want);
  Operand operation(Instruction i, Operand want, RegisterKind kind);
  Operand comparison_value(const mir::Expr& e, const mir::FunApp& f, Operand want);

  Operand real_call(const mir::Expr& e, const mir::FunApp& f, Operand want);
  std::optional<Operand> real_operator(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args, Operand want);

  std::optional<Operand> map(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args, Operand want);
  std::vector<Operand> map_operands(const std::vector<mir::ExprPtr>& args);
  const JitMap* map_of(ad::MapCode code, bool propto, const std::vector<mir::ExprPtr>& args);
  Operand square(Operand x, Operand want) { return operation({.op = Op::Square, .a = x}, want, RegisterKind::Real); }

  /// A call whose operands are numbers needs no node.
  Operand other_call(const mir::Expr& e, const mir::FunApp& f, Operand want);
  static bool is_choice(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args);
  Operand choice(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args, Operand want);
  std::unique_ptr<JitCall> call_of_numbers(const mir::Expr& e, const mir::FunApp& f);

  static bool all_numbers(const std::vector<mir::ExprPtr>& args);
  static bool all_ints(const std::vector<mir::ExprPtr>& args);

  // ---------------------------------------------------------------- functions in place of their calls

  /// Where `return` goes in a function that stands in place of its call.
  struct Inlined {
    Operand result;
    std::uint32_t end = 0;
  };

  /// Every operand a number, or a variable that is a container: nobody assigns to arguments.
  static bool passes_plainly(const std::vector<mir::ExprPtr>& args);
  const mir::Function* inlined_function(const mir::Expr& e, const mir::FunApp& f);
  Operand inlined_call(const mir::Function& function, const std::vector<mir::ExprPtr>& args, Operand want);
  Operand argument(const Type& formal, const mir::Expr& e) { return formal.is(BaseType::Int) ? integer(e) : real(e); }
  /// All operands have been computed: their names may be the ones of arguments.
  void name_arguments(const mir::Function& function, const std::vector<mir::ExprPtr>& args, const std::vector<Operand>& numbers);

  // ---------------------------------------------------------------- conditions

  static const mir::FunApp* library_of_numbers(const mir::Expr& e);
  /// The relation of two numbers that it is, if it is one.
  static std::optional<Condition> comparison(const mir::Expr& e);
  static const mir::Expr* negated(const mir::Expr& e);
  static bool is_truth(const mir::Expr& e) { return comparison(e) || negated(e); }

  /// Jumps to `otherwise` unless the condition holds.
  void unless(const mir::Expr& e, std::uint32_t otherwise) { branch(e, otherwise, false); }

  /// Jumps to `to` where the condition holds (`when`), or where it does not; else goes on.
  void branch(const mir::Expr& e, std::uint32_t to, bool when);
  /// `&&`, or `||` if `any`.
  void both(const mir::Expr& left, const mir::Expr& right, std::uint32_t to, bool when, bool any);
  void compare_and_jump(const mir::Expr& e, Condition condition, std::uint32_t to, bool when);
  /// Nothing but the outcome depends on it: its arithmetic needs no derivatives.
  Operand compared(const mir::Expr& e);
  Operand in_register(Operand x);

  // ---------------------------------------------------------------- views

  /// The view that a loop around has opened, or one for this use alone.
  std::uint32_t view_of(const std::string& variable, Span span, const Type& container, bool writes);
  std::uint32_t open_view(const std::string& variable, std::size_t slot, bool may_ref, const Type& container, bool writes);
  /// Those that a loop uses by elements alone, and none around it has opened.
  std::vector<std::size_t> open_views(const mir::Stmt& loop);
  void close_views(const std::vector<std::size_t>& opened);

  // ---------------------------------------------------------------- statements

  void stmt(const mir::Stmt& s);
  void scoped(const mir::Stmt& s);
  void scoped_list(const std::vector<mir::StmtPtr>& body);
  void list(const std::vector<mir::StmtPtr>& body);

  void assignment(const mir::Stmt& s, const mir::Assignment& a);
  /// A density of numbers; other terms are nodes.
  void target(const mir::Stmt& s, const mir::Expr& value);
  /// The right side comes first, the indexes behind it.
  void set_element(const mir::Stmt& s, const mir::Assignment& a, const Type& container);

  /// Whether `next` is done with it.
  bool declaration(const mir::Stmt& s, const mir::Decl& d, const mir::Stmt* next);
  void declare_number(const mir::Decl& d, const Type& type, const mir::Stmt* next);

  void returns(const mir::Stmt& s, const mir::Return& r);
  /// Where the result goes straight into target, the node adds it term by term.
  void return_terms(const mir::Stmt& s);

  void conditional(const mir::IfElse& i);

  void body(const mir::Stmt& s, Loop loop);

  void while_loop(const mir::Stmt& s, const mir::While& w);

  /// The bound is compared before the variable moves on, so that the largest int can be it.
  void for_loop(const mir::Stmt& s, const mir::For& f);

  // ---------------------------------------------------------------- state

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
  std::size_t terms_ = 0;                              // nodes that run only where a result goes straight into target
  bool passive_ = false;                               // only a comparison is made of what is lowered
  Site site_ = kNoSite;
};

}  // namespace fermiac::interp
