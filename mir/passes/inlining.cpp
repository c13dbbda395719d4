// Function inlining. A call becomes a variable; the body runs in front of the statement that held the call.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/check/annotations.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/pass.h"
#include "mir/passes/pass_tools.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

using Statements = std::vector<StmtPtr>;

/// A function ready to be put in place of a call.
struct Entry {
  std::vector<FunctionArg> args;
  std::optional<Type> result;
  StmtPtr body;
  std::size_t nodes = 0;
  bool asked = false;  // @inline: whatever its size
};
/// Chains of calls grow with every step, doubling where a body calls twice: calls of functions larger than this stay, and
/// so do those for which there is no room left in all.
constexpr std::size_t kMostNodesOfBody = 2000, kMostNodes = 500000;
/// By the name under which it is called: densities have one entry for `f_lpdf` and one for `f_lupdf`.
using Table = std::map<std::string, Entry>;

/// What has to run before the statement that an expression was taken from.
struct Prelude {
  Statements declarations, statements;

  void append(Prelude more) {
    declarations.insert(declarations.end(), more.declarations.begin(), more.declarations.end());
    statements.insert(statements.end(), more.statements.begin(), more.statements.end());
  }
  bool empty() const { return declarations.empty() && statements.empty(); }
};

std::string called_name(const UserDefined& fn) {
  if (!fn.propto) return fn.name;
  return fn.name.substr(0, fn.name.size() - 4) + "lu" + fn.name.substr(fn.name.size() - 3);
}

// ---------------------------------------------------------------- renaming

struct Renamed {
  std::map<std::string, std::string> names;  // locals and loop variables
  std::map<std::string, ExprPtr> values;     // formals, and the locals as expressions

  LValue lvalue(LValue left) const {
    if (left.tuple)
      left.tuple = std::make_shared<const LValue>(lvalue(*left.tuple));
    else if (const auto found = names.find(left.variable); found != names.end())
      left.variable = found->second;
    return left;
  }
  std::string name(const std::string& old) const {
    const auto found = names.find(old);
    return found == names.end() ? old : found->second;
  }
};

ExprPtr renamed(const ExprPtr& expr, const Renamed& names) {
  return rewrite(expr, [&](const ExprPtr& node) -> ExprPtr {
    const Var* variable = as_var(*node);
    if (!variable) return node;
    if (const auto value = names.values.find(variable->name); value != names.values.end()) return value->second;
    if (const auto local = names.names.find(variable->name); local != names.names.end())
      return make_expr(Var{local->second}, node->type, node->ad, node->span);
    return node;
  });
}

StmtPtr renamed(const StmtPtr& stmt, const Renamed& names) {
  return rewrite(stmt, [&](const StmtPtr& node) {
    const StmtPtr done = map_exprs(node, [&](const ExprPtr& expr) { return renamed(expr, names); });
    if (const auto* a = std::get_if<Assignment>(&done->node))
      return make_stmt(Assignment{names.lvalue(a->left), a->type, a->right}, done->span);
    if (const auto* f = std::get_if<For>(&done->node))
      return make_stmt(For{names.name(f->variable), f->lower, f->upper, f->body}, done->span);
    if (const auto* d = std::get_if<Decl>(&done->node)) {
      Decl copy = *d;
      copy.id = names.name(copy.id);
      return make_stmt(std::move(copy), done->span);
    }
    return done;
  });
}

// Names that the body introduces, in order of appearance.
std::vector<std::string> introduced(const Stmt& body) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  each_substmt(body, [&](const Stmt& stmt) {
    std::string name;
    if (const auto* decl = std::get_if<Decl>(&stmt.node)) name = decl->id;
    if (const auto* loop = std::get_if<For>(&stmt.node)) name = loop->variable;
    if (!name.empty() && seen.insert(name).second) out.push_back(name);
  });
  return out;
}

// ---------------------------------------------------------------- returns

int count_returns(const Stmt& body) {
  int count = 0;
  each_substmt(body, [&](const Stmt& stmt) { count += std::holds_alternative<Return>(stmt.node); });
  return count;
}

// Whether the last thing that the statement does is its only return.
bool returns_last(const Stmt& stmt) {
  if (std::holds_alternative<Return>(stmt.node)) return true;
  const auto last = [](const Statements& body) { return !body.empty() && returns_last(*body.back()); };
  if (const auto* block_node = std::get_if<Block>(&stmt.node)) return last(block_node->body);
  if (const auto* list = std::get_if<SList>(&stmt.node)) return last(list->body);
  if (const auto* profile = std::get_if<Profile>(&stmt.node)) return last(profile->body);
  return false;
}

struct ReturnNames {
  std::string result, flag;
};

Statements store_result(const Return& node, const ReturnNames& names, Span span) {
  if (!node.value) return {};
  return {assign(to_variable(names.result), node.value->type, node.value, span)};
}

StmtPtr with_plain_return(const StmtPtr& body, const ReturnNames& names) {
  return rewrite(body, [&](const StmtPtr& stmt) {
    const auto* node = std::get_if<Return>(&stmt->node);
    return node ? as_one(store_result(*node, names, stmt->span), stmt->span) : stmt;
  });
}

// A return leaves the loop it stands in; the loops around it look at the flag.
StmtPtr with_flagged_returns(const StmtPtr& body, const ReturnNames& names) {
  return rewrite(body, [&](const StmtPtr& stmt) {
    if (const auto* node = std::get_if<Return>(&stmt->node)) {
      Statements out = {assign(to_variable(names.flag), BaseType::Int, int_lit(1), stmt->span)};
      for (StmtPtr& more : store_result(*node, names, stmt->span)) out.push_back(std::move(more));
      out.push_back(make_stmt(Break{}, stmt->span));
      return slist(std::move(out), stmt->span);
    }
    const bool loop = std::holds_alternative<For>(stmt->node) || std::holds_alternative<While>(stmt->node);
    if (!loop) return stmt;
    bool returns = false;
    each_substmt(*stmt, [&](const Stmt& inner) {
      const auto* a = std::get_if<Assignment>(&inner.node);
      returns = returns || (a && a->left.base_name() == names.flag);
    });
    if (!returns) return stmt;
    return slist({stmt, make_stmt(IfElse{int_var(names.flag), make_stmt(Break{}), nullptr})}, stmt->span);
  });
}

// ---------------------------------------------------------------- inlining

SizedType with_zero_sizes(const Type& type) {
  SizedType out = sized_scalar(type.base());
  for (int i = 0; i < type.array_dims(); ++i) out.array_dims.push_back(int_lit(0));
  const bool matrix = type.base() == BaseType::Matrix || type.base() == BaseType::ComplexMatrix;
  const bool scalar = is_number(type.base()) || type.base() == BaseType::Complex;
  if (type.base() == BaseType::Tuple)
    for (const Type& slot : type.slots()) out.slots.push_back(with_zero_sizes(slot));
  else if (!scalar)
    out.sizes.assign(matrix ? 2 : 1, int_lit(0));
  return out;
}

bool continues(const Stmt& body) {
  if (std::holds_alternative<Continue>(body.node)) return true;
  if (std::holds_alternative<For>(body.node) || std::holds_alternative<While>(body.node)) return false;
  bool found = false;
  each_child(body, [&](const Stmt& child) { found = found || continues(child); });
  return found;
}

// Whether running the statements leaves something that other expressions or the user notice: target, output, random
// numbers, a refusal.
bool can_be_seen(const Statements& body) {
  bool seen = false;
  for (const StmtPtr& top : body)
    each_substmt(*top, [&](const Stmt& stmt) {
      seen = seen || std::holds_alternative<TargetPE>(stmt.node) || std::holds_alternative<JacobianPE>(stmt.node) ||
             std::holds_alternative<NRFunApp>(stmt.node);
      each_expr(stmt, [&](const Expr& expr) { seen = seen || cannot_duplicate(expr); });
    });
  return seen;
}

class Inliner {
 public:
  Inliner(const Table& table, bool autodiff, Symbols& symbols, std::size_t& room)
      : table_(table), autodiff_(autodiff), symbols_(symbols), room_(room) {}

  Statements list(const Statements& body) {
    return map_each(body, [&](const StmtPtr& stmt) { return statement(stmt); });
  }

  StmtPtr statement(const StmtPtr& stmt) {
    if (const auto* node = std::get_if<While>(&stmt->node)) return conditional_loop(stmt, *node);
    if (const auto* node = std::get_if<For>(&stmt->node)) return counted(stmt, *node);
    const StmtPtr inner = map_children(stmt, [&](const StmtPtr& child) { return statement(child); });
    if (const auto* call = std::get_if<NRFunApp>(&inner->node)) return procedure(inner, *call);
    Prelude before;
    const StmtPtr done = map_exprs(inner, [&](const ExprPtr& expr) { return expression(expr, before); });
    return in_front(std::move(before), done);
  }

 private:
  static StmtPtr in_front(Prelude before, const StmtPtr& stmt) {
    if (before.empty()) return stmt;
    Statements out = std::move(before.declarations);
    out.insert(out.end(), before.statements.begin(), before.statements.end());
    out.push_back(stmt);
    return slist(std::move(out), stmt->span);
  }

  /// Null for calls that stay.
  const Entry* entry_of(const FunctionKind& fn) {
    const auto* user = std::get_if<UserDefined>(&fn);
    const auto found = user ? table_.find(called_name(*user)) : table_.end();
    if (found == table_.end() || found->second.nodes > room_) return nullptr;
    if (found->second.nodes > kMostNodesOfBody && !found->second.asked) return nullptr;
    room_ -= found->second.nodes;
    return &found->second;
  }

  // ---- expressions

  ExprPtr expression(const ExprPtr& expr, Prelude& before) {
    if (const FunApp* call = as_call(*expr)) return call_expression(expr, *call, before);
    if (const auto* node = std::get_if<EAnd>(&expr->node)) return conjunction(expr, *node, before);
    if (const auto* node = std::get_if<EOr>(&expr->node)) return disjunction(expr, *node, before);
    if (const auto* node = std::get_if<TernaryIf>(&expr->node)) return choice(expr, *node, before);
    return map_children(expr, [&](const ExprPtr& child) { return expression(child, before); });
  }

  // Operands are taken from right to left, as long as nobody can tell. Where several of them do something that can be
  // seen, they do it from left to right: an operand that stays an expression then gets a variable, so that it does not
  // come after the statements of the ones behind it.
  std::vector<ExprPtr> operands(const std::vector<ExprPtr>& args, Prelude& before) {
    std::vector<ExprPtr> out = args;
    std::vector<Prelude> preludes(args.size());
    std::size_t visible = 0, last = 0;
    for (std::size_t i = args.size(); i-- > 0;) {
      out[i] = expression(args[i], preludes[i]);
      const bool moved = can_be_seen(preludes[i].statements);
      if (moved && visible == 0) last = i;
      if (moved || (visible > 0 && cannot_duplicate(*out[i]))) ++visible;
    }
    if (visible < 2) {
      for (std::size_t i = args.size(); i-- > 0;) before.append(std::move(preludes[i]));
      return out;
    }
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (i < last && cannot_duplicate(*out[i])) out[i] = stored(out[i], preludes[i]);
      before.append(std::move(preludes[i]));
    }
    return out;
  }

  ExprPtr stored(const ExprPtr& expr, Prelude& before) {
    const std::string temporary = symbols_.fresh("inline_operand");
    before.declarations.push_back(declare_unsized(temporary, expr->type, expr->ad, Decl::Init::Uninit, expr->span));
    before.statements.push_back(assign(to_variable(temporary), expr->type, expr, expr->span));
    return make_expr(Var{temporary}, expr->type, expr->ad, expr->span);
  }

  ExprPtr call_expression(const ExprPtr& expr, const FunApp& call, Prelude& before) {
    FunApp done = call;
    done.args = operands(call.args, before);
    const Entry* entry = entry_of(call.fn);
    if (!entry || !entry->result) {
      if (done.args == call.args) return expr;
      return make_expr(std::move(done), expr->type, expr->ad, expr->span);
    }
    const std::string name = called_name(std::get<UserDefined>(call.fn));
    ReturnNames names{symbols_.fresh("inline_" + std::get<UserDefined>(call.fn).name + "_return"), {}};
    const AdLevel level = uniform_level(*entry->result, autodiff_);
    before.declarations.push_back(make_stmt(
        Decl{Decl::Init::Uninit, level, names.result, with_zero_sizes(*entry->result), nullptr, {}}, expr->span));
    before.append(body(std::get<UserDefined>(call.fn).name, *entry, done.args, names));
    return make_expr(Var{names.result}, expr->type, expr->ad.any() ? expr->ad : level, expr->span);
  }

  static StmtPtr guarded(ExprPtr test, Statements yes, Statements no, Span span) {
    StmtPtr then = yes.empty() ? make_stmt(Skip{}, span) : slist(std::move(yes), span);
    StmtPtr otherwise = no.empty() ? make_stmt(Skip{}, span) : slist(std::move(no), span);
    return make_stmt(IfElse{std::move(test), std::move(then), std::move(otherwise)}, span);
  }

  // Declarations move out of the branch, what runs stays in it.
  void take_guarded(const ExprPtr& test, Prelude yes, Prelude no, Prelude& before, Span span) {
    if (yes.empty() && no.empty()) return;
    for (Prelude* part : {&yes, &no})
      before.declarations.insert(before.declarations.end(), part->declarations.begin(), part->declarations.end());
    before.statements.push_back(guarded(test, std::move(yes.statements), std::move(no.statements), span));
  }

  ExprPtr conjunction(const ExprPtr& expr, const EAnd& node, Prelude& before) {
    Prelude later;
    ExprPtr left = expression(node.left, before);
    ExprPtr right = expression(node.right, later);
    take_guarded(left, std::move(later), {}, before, expr->span);
    if (left == node.left && right == node.right) return expr;
    return make_expr(EAnd{std::move(left), std::move(right)}, expr->type, expr->ad, expr->span);
  }

  ExprPtr disjunction(const ExprPtr& expr, const EOr& node, Prelude& before) {
    Prelude later;
    ExprPtr left = expression(node.left, before);
    ExprPtr right = expression(node.right, later);
    take_guarded(left, {}, std::move(later), before, expr->span);
    if (left == node.left && right == node.right) return expr;
    return make_expr(EOr{std::move(left), std::move(right)}, expr->type, expr->ad, expr->span);
  }

  ExprPtr choice(const ExprPtr& expr, const TernaryIf& node, Prelude& before) {
    Prelude yes_prelude, no_prelude;
    ExprPtr test = expression(node.test, before);
    ExprPtr yes = expression(node.yes, yes_prelude);
    ExprPtr no = expression(node.no, no_prelude);
    take_guarded(test, std::move(yes_prelude), std::move(no_prelude), before, expr->span);
    if (test == node.test && yes == node.yes && no == node.no) return expr;
    return make_expr(TernaryIf{std::move(test), std::move(yes), std::move(no)}, expr->type, expr->ad, expr->span);
  }

  // ---- bodies

  // The body with formals replaced by actuals and locals renamed. An actual that must be evaluated once gets a
  // variable.
  Prelude body(const std::string& name, const Entry& entry, const std::vector<ExprPtr>& actuals, ReturnNames& names) {
    Prelude out;
    Renamed renaming;
    for (const std::string& local : introduced(*entry.body))
      renaming.names[local] = symbols_.fresh("inline_" + name + "_" + local);
    for (std::size_t i = 0; i < actuals.size(); ++i)
      renaming.values[entry.args[i].name] = bound_once(name, entry.args[i], actuals[i], out);
    names.flag = symbols_.fresh("inline_" + name + "_early_ret_check");
    const StmtPtr body = renamed(entry.body, renaming);
    const int returns = count_returns(*body);
    if (returns == 0 || (returns == 1 && returns_last(*body)))
      out.statements.push_back(with_plain_return(body, names));
    else
      one_trip_loop(name, body, names, out);
    return out;
  }

  ExprPtr bound_once(const std::string& name, const FunctionArg& arg, const ExprPtr& actual, Prelude& out) {
    if (!cannot_duplicate(*actual)) return actual;
    const std::string temporary = symbols_.fresh("inline_" + name + "_" + arg.name);
    out.statements.push_back(declare_unsized(temporary, actual->type, actual->ad, Decl::Init::Uninit, actual->span));
    out.statements.push_back(assign(to_variable(temporary), actual->type, actual, actual->span));
    return make_expr(Var{temporary}, actual->type, actual->ad, actual->span);
  }

  void one_trip_loop(const std::string& name, const StmtPtr& body, const ReturnNames& names, Prelude& out) {
    const std::string iterator = symbols_.fresh("inline_" + name + "_iterator");
    out.declarations.push_back(declare(names.flag, sized_scalar(BaseType::Int), false, body->span));
    out.statements.push_back(assign(to_variable(names.flag), BaseType::Int, int_lit(0), body->span));
    out.statements.push_back(
        make_stmt(For{iterator, int_lit(1), int_lit(1), as_block(with_flagged_returns(body, names))}, body->span));
  }

  StmtPtr procedure(const StmtPtr& stmt, const NRFunApp& call) {
    Prelude before;
    NRFunApp done = call;
    done.args = operands(call.args, before);
    const Entry* entry = entry_of(call.fn);
    if (!entry)
      return in_front(std::move(before), done.args == call.args ? stmt : make_stmt(std::move(done), stmt->span));
    ReturnNames names;
    before.append(body(std::get<UserDefined>(call.fn).name, *entry, done.args, names));
    Statements all = std::move(before.declarations);
    all.insert(all.end(), before.statements.begin(), before.statements.end());
    return as_one(std::move(all), stmt->span);
  }

  // ---- loops evaluate their condition or bound before every round

  StmtPtr conditional_loop(const StmtPtr& stmt, const While& node) {
    StmtPtr body = statement(node.body);
    if (continues(*node.body)) return make_stmt(While{node.test, std::move(body)}, stmt->span);
    Prelude before;
    ExprPtr test = expression(node.test, before);
    if (!before.empty()) body = with_end(body, before.statements);
    return in_front(std::move(before), make_stmt(While{std::move(test), std::move(body)}, stmt->span));
  }

  StmtPtr counted(const StmtPtr& stmt, const For& node) {
    StmtPtr body = statement(node.body);
    Prelude before, each_round;
    ExprPtr upper = continues(*node.body) ? node.upper : expression(node.upper, each_round);
    ExprPtr lower = expression(node.lower, before);
    if (!each_round.empty()) body = with_end(body, each_round.statements);
    before.append(std::move(each_round));
    return in_front(
        std::move(before),
        make_stmt(For{node.variable, std::move(lower), std::move(upper), as_block(std::move(body))}, stmt->span));
  }

  static StmtPtr with_end(const StmtPtr& body, const Statements& end) {
    Statements all = {body};
    all.insert(all.end(), end.begin(), end.end());
    return block(std::move(all), body->span);
  }

  const Table& table_;
  bool autodiff_;
  Symbols& symbols_;
  std::size_t& room_;  // nodes that may still be added
};

// ---------------------------------------------------------------- tables

StmtPtr at_level(const StmtPtr& body, bool autodiff) {
  if (autodiff) return body;
  return rewrite(body, [&](const StmtPtr& stmt) {
    const auto* decl = std::get_if<Decl>(&stmt->node);
    if (!decl) return stmt;
    Decl copy = *decl;
    const auto* sized = std::get_if<SizedType>(&copy.type);
    copy.ad = uniform_level(sized ? sized->type() : std::get<Type>(copy.type), false);
    return make_stmt(std::move(copy), stmt->span);
  });
}

StmtPtr normalised(const StmtPtr& body) {
  return rewrite_exprs(body, [](const ExprPtr& expr) {
    return rewrite(expr, [](const ExprPtr& node) {
      const FunApp* call = as_call(*node);
      if (!call) return node;
      FunApp copy = *call;
      if (auto* fn = std::get_if<StanLib>(&copy.fn)) fn->propto = false;
      if (auto* fn = std::get_if<UserDefined>(&copy.fn)) fn->propto = false;
      return make_expr(std::move(copy), node->type, node->ad, node->span);
    });
  });
}

/// Functions whose calls an engine may differentiate by another function: their calls must stay calls.
std::set<std::string> with_adjoints(const Program& program) {
  std::set<std::string> out;
  for (const Function& function : program.functions)
    for (const std::string& annotation : function.annotations)
      if (check::annotation_name(annotation) == "grad_adj_jac")
        for (const std::string& argument : check::annotation_arguments(annotation)) out.insert(argument);
  return out;
}

using Wanted = std::function<bool(const Function&)>;

bool all_functions(const Function&) {
  return true;
}

Table build_table(const Program& program, bool autodiff, Symbols& symbols, const Wanted& wanted = all_functions) {
  std::map<std::string, int> definitions;
  for (const Function& function : program.functions) ++definitions[function.name];
  const std::set<std::string> kept = with_adjoints(program);
  Table table;
  std::size_t room = kMostNodes;
  for (const Function& function : program.functions) {
    if (!function.body || definitions[function.name] != 1 || kept.contains(function.name) || !wanted(function)) continue;
    const bool density = function.suffix == Suffix::Lpdf || function.suffix == Suffix::Lpmf;
    StmtPtr body = Inliner(table, autodiff, symbols, room).statement(at_level(function.body, autodiff));
    const bool asked =
        std::ranges::any_of(function.annotations, [](const std::string& a) { return check::annotation_name(a) == "inline"; });
    const auto enter = [&](const std::string& name, StmtPtr inlined) {
      const std::size_t nodes = node_count(*inlined);
      table[name] = {function.args, function.result, std::move(inlined), nodes, asked};
    };
    if (density) {
      enter(called_name({.name = function.name, .suffix = function.suffix, .propto = true}), body);
      body = Inliner(table, autodiff, symbols, room).statement(normalised(at_level(function.body, autodiff)));
    }
    enter(function.name, std::move(body));
  }
  return table;
}

void run(Program& program, PassContext& context) {
  if (program.functions.empty()) return;
  const Table data = build_table(program, false, context.symbols);
  const Table autodiff = build_table(program, true, context.symbols);
  std::size_t room = kMostNodes;
  struct Section {
    Statements* body;
    bool autodiff;
  };
  for (const Section& section : {Section{&program.unconstrain_array, true}, Section{&program.transform_inits, true},
                                 Section{&program.generate_quantities, false},
                                 Section{&program.reverse_mode_log_prob, true}, Section{&program.log_prob, true}})
    *section.body = Inliner(section.autodiff ? autodiff : data, section.autodiff, context.symbols, room).list(*section.body);
}

}  // namespace

void inline_functions(Program& program, Symbols& symbols, const Wanted& wanted) {
  const Table table = build_table(program, true, symbols, wanted);
  std::size_t room = kMostNodes;
  if (!table.empty()) program.log_prob = Inliner(table, true, symbols, room).list(program.log_prob);
}

const Pass kInlineFunctions = {"inline", "replaces calls of user functions by their bodies", true, run};

}  // namespace fermiac::mir
