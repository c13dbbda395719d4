// Loops over elements become statements over containers, further than loop-vectorisation goes: several statements in
// one loop, element-wise assignments, arithmetic and element-wise functions around the elements, elements gathered
// through int arrays, shifted elements, scalar temporaries.
//
// The loop is distributed: each statement runs for all rounds before the next one starts. That is the same as long as
// what the loop assigns is assigned, and read, only at the loop variable itself: no round then sees another's values.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/pass.h"
#include "mir/passes/pass_tools.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::mir {
namespace {

using Names = std::set<std::string>;

void flatten(const StmtPtr& stmt, std::vector<StmtPtr>& out) {
  const auto* block = std::get_if<Block>(&stmt->node);
  const auto* list = std::get_if<SList>(&stmt->node);
  if (!block && !list) return out.push_back(stmt);
  for (const StmtPtr& inner : block ? block->body : list->body) flatten(inner, out);
}

bool is_variable(const Expr& expr, const std::string& name) {
  const Var* variable = as_var(expr);
  return variable && variable->name == name;
}

/// The element-wise operator on containers, where that is another one.
Builtin element_wise(Builtin op, const std::vector<ExprPtr>& args) {
  if (args.size() != 2) return op;
  const bool left = !args[0]->type.is_scalar(), right = !args[1]->type.is_scalar();
  if (op == Builtin::Times && left && right) return Builtin::EltTimes;
  if (op == Builtin::Divide && right) return Builtin::EltDivide;
  return op == Builtin::Pow ? Builtin::EltPow : op;
}

const Lit* int_literal(const Expr& e) {
  const Lit* lit = as_lit(e);
  return lit && lit->kind == Lit::Kind::Int ? lit : nullptr;
}

/// One loop.
class Distribution {
 public:
  Distribution(const For& loop, const OuterSizes& sizes) : loop_(loop), sizes_(sizes) {}

  /// The statements that do the same; none if that is not possible.
  std::vector<StmtPtr> run() {
    flatten(loop_.body, body_);
    if (!fits()) return {};
    std::vector<StmtPtr> out;
    for (std::size_t i = 0; i < body_.size(); ++i) {
      if (is_temporary(*body_[i], i)) continue;
      StmtPtr done = statement(body_[i]);
      if (!done) return {};
      out.push_back(std::move(done));
    }
    return out;
  }

 private:
  // ---- whether the loop may be taken apart

  bool fits() {
    for (const StmtPtr& stmt : body_)
      if (!note_assigned(*stmt)) return false;
    for (const ExprPtr& bound : {loop_.lower, loop_.upper})
      if (cannot_duplicate(*bound) || reads_other_rounds(*bound)) return false;
    return std::ranges::all_of(body_, [&](const StmtPtr& stmt) {
      bool fine = true;
      each_expr(*stmt, [&](const Expr& e) { fine = fine && !cannot_duplicate(e) && !reads_other_rounds(e); });
      return fine;
    });
  }

  bool note_assigned(const Stmt& stmt) {
    if (std::holds_alternative<TargetPE>(stmt.node)) return true;
    if (const auto* decl = std::get_if<Decl>(&stmt.node)) return note_temporary(*decl);
    const auto* node = std::get_if<Assignment>(&stmt.node);
    if (!node || node->left.tuple) return false;
    if (node->left.indexes.empty()) return temporaries_.contains(node->left.variable);
    if (!is_loop_index(node->left.indexes)) return false;
    assigned_.insert(node->left.variable);
    return true;
  }

  bool note_temporary(const Decl& decl) {
    const auto* sized = std::get_if<SizedType>(&decl.type);
    if (!(sized ? sized->type() : std::get<Type>(decl.type)).is(BaseType::Real)) return false;
    return temporaries_.emplace(decl.id, nullptr).second;
  }

  bool is_loop_index(const std::vector<Index>& indexes) const {
    return indexes.size() == 1 && indexes[0].kind == Index::Kind::Single &&
           is_variable(*indexes[0].low, loop_.variable);
  }

  bool reads_other_rounds(const Expr& e) const {
    if (const auto* node = std::get_if<Indexed>(&e.node))
      if (const Var* base = as_var(*node->base); base && assigned_.contains(base->name) && is_loop_index(node->indexes))
        return false;
    if (const Var* variable = as_var(e)) return assigned_.contains(variable->name);
    bool found = false;
    each_child(e, [&](const Expr& child) { found = found || reads_other_rounds(child); });
    return found;
  }

  // ---- temporaries: their values stand in for them

  /// Takes the statement in if it only sets a temporary.
  bool is_temporary(const Stmt& stmt, std::size_t at) {
    if (const auto* decl = std::get_if<Decl>(&stmt.node)) return !decl->value || settle(decl->id, decl->value, at);
    const auto* node = std::get_if<Assignment>(&stmt.node);
    return node && node->left.indexes.empty() && settle(node->left.variable, node->right, at);
  }

  /// False if the value may be another one where the temporary is read: it is assigned twice, or reads what is assigned
  /// later on.
  bool settle(const std::string& name, const ExprPtr& value, std::size_t at) {
    ExprPtr& known = temporaries_.at(name);
    if (known) return false;
    for (std::size_t later = at + 1; later < body_.size(); ++later)
      if (const std::string target = assigned_variable(*body_[later]); target != "target" && mentions(*value, target))
        return false;
    known = replaced(value);
    return true;
  }

  ExprPtr replaced(const ExprPtr& expr) const {
    std::map<std::string, ExprPtr> values;
    for (const auto& [name, value] : temporaries_)
      if (value) values.emplace(name, value);
    return substitute(expr, values);
  }

  bool reads_unset(const Expr& expr) const {
    return std::ranges::any_of(temporaries_, [&](const auto& entry) { return mentions(expr, entry.first); });
  }

  // ---- statements

  StmtPtr statement(const StmtPtr& stmt) const {
    if (const auto* term = std::get_if<TargetPE>(&stmt->node)) {
      ExprPtr whole = target_term(replaced(term->value));
      return whole ? target_pe(std::move(whole), stmt->span) : nullptr;
    }
    const auto* node = std::get_if<Assignment>(&stmt->node);
    if (!node || node->left.indexes.empty()) return nullptr;
    ExprPtr value = stored(node->type, replaced(node->right));
    if (!value) return nullptr;
    const LValue part = with_indexes(to_variable(node->left.variable), {between(loop_.lower, loop_.upper)});
    return assign(part, node->type, std::move(value), stmt->span);
  }

  /// The values for the elements of a container of that type.
  ExprPtr stored(const Type& container, const ExprPtr& value) const {
    ExprPtr all = lifted(value);
    if (!all) return nullptr;
    if (all->type.is_scalar()) all = call(Builtin::rep_vector, {promote(all, BaseType::Real, all->ad), rounds()});
    if (!all) return nullptr;
    if (container.is(BaseType::Vector)) return all;
    if (container.is(BaseType::RowVector)) return call(Builtin::to_row_vector, {all});
    return container == Type(BaseType::Real, 1) ? call(Builtin::to_array_1d, {all}) : nullptr;
  }

  ExprPtr rounds() const {
    const Lit* lower = int_literal(*loop_.lower);
    if (lower && lower->text == "1") return loop_.upper;
    return int_op(Builtin::Plus, int_op(Builtin::Minus, loop_.upper, loop_.lower), int_lit(1));
  }

  ExprPtr target_term(const ExprPtr& value) const {
    if (reads_unset(*value)) return nullptr;
    if (!mentions(*value, loop_.variable)) return value->type.is_number() ? repeated(value) : nullptr;
    const FunApp* application = as_call(*value);
    const StanLib* fn = as_library(*value);
    if (fn && (fn->suffix == Suffix::Lpdf || fn->suffix == Suffix::Lpmf)) return density_of(*value, *application);
    if (fn && fn->fn == Builtin::Plus) return target_sum(application->args);
    ExprPtr all = lifted(value);
    return all ? call(Builtin::sum, {all}) : nullptr;
  }

  /// As reals: the product of ints may be too large for one.
  ExprPtr repeated(const ExprPtr& value) const {
    return call(Builtin::Times, {promote(rounds(), BaseType::Real, {}), promote(value, BaseType::Real, value->ad)});
  }

  ExprPtr target_sum(const std::vector<ExprPtr>& terms) const {
    ExprPtr left = target_term(terms[0]), right = left ? target_term(terms[1]) : nullptr;
    return right ? call(Builtin::Plus, {left, right}) : nullptr;
  }

  ExprPtr density_of(const Expr& value, const FunApp& density) const {
    FunApp out = density;
    for (ExprPtr& arg : out.args)
      if (arg = argument(arg); !arg) return nullptr;
    const auto result = builtin_result(std::get<StanLib>(out.fn).fn, out.args);
    if (!result || !result->is(BaseType::Real)) return nullptr;
    return make_expr(std::move(out), value.type, value.ad, value.span);
  }

  /// Densities take arrays as they are.
  ExprPtr argument(const ExprPtr& arg) const {
    if (!arg->type.is_number()) return nullptr;
    if (!mentions(*arg, loop_.variable)) return arg;
    if (const auto* promotion = std::get_if<Promotion>(&arg->node))
      if (ExprPtr all = container_of(promotion->operand)) return all;
    ExprPtr all = container_of(arg);
    return all ? all : lifted(arg);
  }

  // ---- expressions

  /// One call over containers; null if there is no such function.
  static ExprPtr call(Builtin fn, const std::vector<ExprPtr>& args) {
    const auto result = builtin_result(fn, args);
    return result ? stan_call(fn, args, *result) : nullptr;
  }

  /// The values of a number in all rounds as a vector, or the number itself if it is the same in all; null: unknown.
  ExprPtr lifted(const ExprPtr& e) const {
    if (reads_unset(*e) || !e->type.is_number()) return nullptr;
    if (!mentions(*e, loop_.variable)) return e;
    if (const auto* promotion = std::get_if<Promotion>(&e->node)) return lifted(promotion->operand);
    if (const ExprPtr container = container_of(e))
      return container->type.is(BaseType::Vector) ? container : call(Builtin::to_vector, {container});
    const FunApp* application = as_call(*e);
    return application && e->type.is(BaseType::Real) ? applied(*application) : nullptr;
  }

  ExprPtr applied(const FunApp& application) const {
    const auto* fn = std::get_if<StanLib>(&application.fn);
    if (!fn || fn->suffix != Suffix::Plain) return nullptr;
    std::vector<ExprPtr> args;
    for (const ExprPtr& arg : application.args) {
      args.push_back(lifted(arg));
      if (!args.back()) return nullptr;
    }
    ExprPtr all = call(element_wise(fn->fn, args), args);
    return all && all->type.is(BaseType::Vector) ? all : nullptr;
  }

  /// The elements that an indexed variable gives in all rounds, as a part of it; null if it does not give one element
  /// a round.
  ExprPtr container_of(const ExprPtr& e) const {
    const auto* node = std::get_if<Indexed>(&e->node);
    if (!node || !e->type.is_number() || mentions(*node->base, loop_.variable)) return nullptr;
    std::vector<Index> indexes = node->indexes;
    int varying = 0;
    for (Index& index : indexes) {
      if (index.kind != Index::Kind::Single) return nullptr;
      if (!mentions(*index.low, loop_.variable)) continue;
      ++varying;
      if (index = range(index.low); !index.low) return nullptr;
    }
    if (varying != 1) return nullptr;
    const bool plain = indexes.size() == 1 && is_variable(*node->indexes[0].low, loop_.variable);
    return plain ? elements(sizes_, node->base, loop_.lower, loop_.upper) : indexed(node->base, indexes);
  }

  /// The indexes of all rounds; without `low` if unknown.
  Index range(const ExprPtr& index) const {
    if (is_variable(*index, loop_.variable)) return between(loop_.lower, loop_.upper);
    if (const FunApp* shift = as_call(*index)) return shifted(*shift);
    ExprPtr positions = container_of(index);
    return Index{Index::Kind::Multi, std::move(positions), nullptr};
  }

  Index shifted(const FunApp& shift) const {
    const auto* fn = std::get_if<StanLib>(&shift.fn);
    if (!fn || (fn->fn != Builtin::Plus && fn->fn != Builtin::Minus) || shift.args.size() != 2) return {};
    if (!is_variable(*shift.args[0], loop_.variable) || mentions(*shift.args[1], loop_.variable)) return {};
    return between(int_op(fn->fn, loop_.lower, shift.args[1]), int_op(fn->fn, loop_.upper, shift.args[1]));
  }

  const For& loop_;
  const OuterSizes& sizes_;
  std::vector<StmtPtr> body_;
  Names assigned_;                              // containers, at the loop variable
  std::map<std::string, ExprPtr> temporaries_;  // null: not set yet
};

/// What stands outside of elements is evaluated once instead of in every round: not at all if there is none.
StmtPtr if_any_round(const For& loop, std::vector<StmtPtr> body, Span span) {
  const Lit *lower = int_literal(*loop.lower), *upper = int_literal(*loop.upper);
  if (lower && upper && literal_int(lower->text) <= literal_int(upper->text)) return as_one(std::move(body), span);
  return make_stmt(IfElse{int_op(Builtin::Geq, loop.upper, loop.lower), block(std::move(body), span), nullptr}, span);
}

StmtPtr vectorised(const StmtPtr& stmt, const OuterSizes& sizes) {
  const auto* loop = std::get_if<For>(&stmt->node);
  if (!loop) return stmt;
  std::vector<StmtPtr> body = Distribution(*loop, sizes).run();
  return body.empty() ? stmt : if_any_round(*loop, std::move(body), stmt->span);
}

// ---------------------------------------------------------------- recorded programs

// A tape shares equal lanes before it joins the others; in a vector operation they are hidden. Of several gathered
// parameters few combinations may be distinct.
constexpr int kMostGathers = 2;

/// Real elements `a[g[i]]`.
int gathers(const Stmt& body) {
  int count = 0;
  each_substmt(body, [&](const Stmt& stmt) {
    each_expr(stmt, [&](const Expr& expr) {
      each_subexpr(expr, [&](const Expr& e) {
        const auto* element = std::get_if<Indexed>(&e.node);
        if (!element || element->indexes.size() != 1 || element->indexes[0].kind != Index::Kind::Single) return;
        if (std::holds_alternative<Indexed>(element->indexes[0].low->node) && e.type.is(BaseType::Real)) ++count;
      });
    });
  });
  return count;
}

/// Leaves alone what the tape does better: loops in loops too, whose lanes it joins over the rounds of all.
StmtPtr vectorised_for_tape(const StmtPtr& stmt, const OuterSizes& sizes) {
  if (const auto* loop = std::get_if<For>(&stmt->node))
    return gathers(*loop->body) > kMostGathers ? stmt : vectorised(stmt, sizes);
  if (std::holds_alternative<While>(stmt->node)) return stmt;
  return map_children(stmt, [&](const StmtPtr& child) { return vectorised_for_tape(child, sizes); });
}

std::vector<StmtPtr> everywhere(const std::vector<StmtPtr>& list, const OuterSizes& sizes, bool recorded) {
  if (recorded) return map_each(list, [&](const StmtPtr& stmt) { return vectorised_for_tape(stmt, sizes); });
  return rewrite(list, [&](const StmtPtr& stmt) { return vectorised(stmt, sizes); });
}

void run(Program& program, PassContext& context) {
  const OuterSizes none, sizes = outer_sizes(program);
  for (Function& function : program.functions)
    if (function.body) function.body = as_block(as_one(everywhere({function.body}, none, context.recorded)));
  for (std::vector<StmtPtr>* section : sections(program)) *section = everywhere(*section, sizes, context.recorded);
}

}  // namespace

const Pass kWideVectorisation = {"wide-vectorisation",
                                 "makes loops over elements statements over containers, several at a time", false, run};

}  // namespace fermiac::mir
