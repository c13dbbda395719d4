// Memory patterns: which vectors, row vectors and matrices of the gradient's log density are kept as one autodiff
// object per container (struct of arrays) and which as one per element (array of structs).
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/pass_tools.h"
#include "mir/passes/pass.h"
#include "mir/passes/sharing.h"

namespace fermiac::mir {
namespace {

using Names = std::set<std::string>;

bool is_autodiff_container(const Expr& expr) {
  return is_matrix_like(expr.type) && expr.ad.any();
}

void add_container_names(const Expr& expr, Names& out) {
  if (expr.type.is_scalar()) return;  // a sum or an element of a container is no container
  const Var* variable = as_var(expr);
  if (variable && expr.ad.any() && (is_matrix_like(expr.type) || expr.type.base() == BaseType::Tuple))
    out.insert(variable->name);
  each_child(expr, [&](const Expr& child) { add_container_names(child, out); });
}

// Containers that carry derivatives and enter as wholes; tuples count, because they may hold some.
Names container_names(const Expr& expr) {
  Names out;
  add_container_names(expr, out);
  return out;
}

std::string listed(const Names& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

Names container_names(const std::vector<ExprPtr>& exprs) {
  Names out;
  for (const ExprPtr& expr : exprs) out.merge(container_names(*expr));
  return out;
}

bool is_supported(const FunApp& call) {
  const auto* fn = std::get_if<StanLib>(&call.fn);
  return fn && (fn->fn == Builtin::check_matching_dims || builtin_supports_soa(fn->fn, call.args));
}

bool is_literal_maker(const FunApp& call) {
  const CompilerInternal* fn = as_internal(call.fn);
  return fn && (fn->fn == Internal::FnMakeArray || fn->fn == Internal::FnMakeRowVec || fn->fn == Internal::FnMakeTuple);
}

/// A call whose arguments cannot stay whole objects.
bool breaks_up_arguments(const FunApp& call) {
  if (as_internal(call.fn)) return is_literal_maker(call);
  return !is_supported(call);
}

// One element of a vector or matrix, after the indexes that array dimensions take.
bool picks_element(const Type& base, const std::vector<Index>& indexes) {
  if (!is_matrix_like(base)) return false;
  const auto dims = static_cast<std::size_t>(base.array_dims());
  const std::size_t own = base.base() == BaseType::Matrix ? 2 : 1;
  if (indexes.size() < dims + own) return false;
  return std::all_of(indexes.begin() + static_cast<std::ptrdiff_t>(dims), indexes.end(),
                     [](const Index& index) { return index.kind == Index::Kind::Single; });
}

/// Parts of several elements of an array at once: `a[ : , 2]`.
bool picks_parts(const Type& base, const std::vector<Index>& indexes) {
  const auto dims = static_cast<std::size_t>(base.array_dims());
  if (!is_matrix_like(base) || indexes.size() <= dims) return false;
  return std::any_of(indexes.begin(), indexes.begin() + static_cast<std::ptrdiff_t>(dims),
                     [](const Index& index) { return index.kind != Index::Kind::Single; });
}

bool is_one(const Expr& expr) {
  const Lit* lit = as_lit(expr);
  return lit && lit->text == "1";
}

// rep_vector and its like make a whole container out of a scalar that carries derivatives.
bool makes_container(const Expr& expr) {
  const StanLib* fn = as_library(expr);
  if (!fn || !has(fn->fn, Fact::Repeats) || fn->fn == Builtin::rep_array) return false;
  const std::vector<ExprPtr>& args = as_call(expr)->args;
  return !args.empty() && args[0]->type.is_scalar() && carries_derivatives(expr);
}

/// A container that carries derivatives enters as a whole: not as a sum or an element of it, and not into a literal, a choice or
/// what else takes it apart.
bool uses_container(const Expr& expr) {
  const FunApp* call = as_call(expr);
  const bool chosen = std::holds_alternative<TernaryIf>(expr.node);
  if (expr.type.is_scalar() || chosen || (call && breaks_up_arguments(*call))) return false;
  if (makes_container(expr) || is_internal(expr, Internal::FnReadParam)) return true;
  if (as_var(expr)) return is_autodiff_container(expr);
  bool out = false;
  each_child(expr, [&](const Expr& child) { out = out || uses_container(child); });
  return out;
}

/// A container computed element by element from scalars that carry derivatives.
bool is_built_from_scalars(const Expr& expr) {
  return is_autodiff_container(expr) && !uses_container(expr) && carries_derivatives(expr);
}

/// A variable of container type that gets a value.
struct Filled {
  const Stmt* stmt;
  std::string name;
  const Expr* value;
};

/// What first made a container one by element.
struct Cause {
  std::string text;
  Span where;
};

class Patterns {
 public:
  explicit Patterns(const std::vector<StmtPtr>& body) {
    for (const StmtPtr& stmt : body) find_constants(*stmt);
    for (const StmtPtr& stmt : body) collect(*stmt, false);
    for (const auto& [name, where] : Sharing(body).unsafe())
      add({name}, {"it shares its numbers with another container, of which a part is assigned", where});
    spread();
  }

  const Names& element_wise() const { return aos_; }
  const std::vector<MemoryReport::Warning>& warnings() const { return warnings_; }
  Cause cause(const std::string& name) const {
    const auto at = causes_.find(name);
    return at == causes_.end() ? Cause() : at->second;
  }

 private:
  void add(const Names& names, const Cause& cause) {
    aos_.insert(names.begin(), names.end());
    for (const std::string& name : names) causes_.try_emplace(name, cause);
  }
  void demote(const Stmt& stmt, const std::string& reason, const Names& names, const Cause& cause) {
    if (names.empty()) return;
    add(names, cause);
    warnings_.push_back({stmt.span, reason + ": " + listed(names)});
  }
  static Span place(const Expr& expr, const Stmt& stmt) { return expr.span == Span{} ? stmt.span : expr.span; }

  /// @const: only assigned as wholes. Their elements may be read in loops all the same: that is a matter of speed.
  void find_constants(const Stmt& top) {
    each_substmt(top, [&](const Stmt& stmt) {
      const auto* d = std::get_if<Decl>(&stmt.node);
      if (d && std::ranges::find(d->annotations, "const") != d->annotations.end()) constants_.insert(d->id);
    });
  }

  static std::string why_taken_apart(const FunApp& call) {
    if (const auto* library = std::get_if<StanLib>(&call.fn))
      return (find_operator(library->fn) ? "the operator" : "function '" + std::string(name_of(library->fn)) + "'") + std::string(" does not support SoA");
    return "it becomes an element of an array, a row or a tuple";
  }

  static std::string why(const FunApp& call) {
    const auto* library = std::get_if<StanLib>(&call.fn);
    const auto* user = std::get_if<UserDefined>(&call.fn);
    if (!library && !user) return "Right hand side of assignment is a literal of elements";
    return "Function '" + (library ? std::string(name_of(library->fn)) : user->name) +
           "' on right hand side of assignment is not supported by SoA";
  }

  // ---- the start set

  void collect(const Stmt& stmt, bool in_loop) {
    each_expr(stmt, [&](const Expr& expr) { collect(stmt, expr, in_loop); });
    if (const auto* a = std::get_if<Assignment>(&stmt.node)) assignment(stmt, *a, in_loop);
    if (const auto* d = std::get_if<Decl>(&stmt.node)) declaration(stmt, *d);
    const bool inside = in_loop || is_loop(stmt);
    each_child(stmt, [&](const Stmt& child) { collect(child, inside); });
  }

  static bool is_loop(const Stmt& stmt) {
    if (std::holds_alternative<While>(stmt.node)) return true;
    const auto* loop = std::get_if<For>(&stmt.node);
    return loop && !(is_one(*loop->lower) && is_one(*loop->upper));
  }

  static std::string why_declared_by_element(const Type& type, bool unsized, bool has_derivatives) {
    if (type.base() == BaseType::Tuple) return "tuples hold their containers by element";
    if (is_complex(type.base())) return "complex numbers are stored by element";
    if (!has_derivatives) return "it carries no derivatives";
    return unsized ? "it has no declared size" : "";
  }

  /// Slots of tuples are kept by element, and so are data and what is declared without sizes, but for temporaries of lazy code
  /// motion: those are converted.
  void declaration(const Stmt& stmt, const Decl& d) {
    const auto* sized = std::get_if<SizedType>(&d.type);
    const Type type = sized ? sized->type() : std::get<Type>(d.type);
    const bool unsized = !sized && is_matrix_like(type) && !d.id.starts_with("lcm_");
    if (const std::string why = why_declared_by_element(type, unsized, d.ad.any()); !why.empty()) add({d.id}, {why, stmt.span});
    if (d.value && is_matrix_like(d.value->type)) filled_.push_back({&stmt, d.id, d.value.get()});
  }

  void collect(const Stmt& stmt, const Expr& expr, bool in_loop) {
    const FunApp* call = as_call(expr);
    const Span where = place(expr, stmt);
    const auto* user = call ? std::get_if<UserDefined>(&call->fn) : nullptr;
    if (user)
      demote(stmt, "Used in user defined function", container_names(call->args),
             {"it is an argument of function '" + user->name + "' of the program", where});
    else if (call && breaks_up_arguments(*call))
      add(container_names(call->args), {why_taken_apart(*call), where});
    if (const auto* choice = std::get_if<TernaryIf>(&expr.node))
      add(container_names({choice->yes, choice->no}), {"it is a branch of '?:'", where});
    if (const auto* element = std::get_if<Indexed>(&expr.node)) indexed(*element, where, in_loop);
    each_child(expr, [&](const Expr& child) { collect(stmt, child, in_loop); });
  }

  void indexed(const Indexed& element, Span where, bool in_loop) {
    Names names = container_names(*element.base);
    if (picks_parts(element.base->type, element.indexes))
      return add(names, {"parts of several elements of the array are read at once", where});
    if (!in_loop || !picks_element(element.base->type, element.indexes)) return;
    std::erase_if(names, [&](const std::string& name) { return constants_.contains(name); });
    add(names, {"its element is read in a loop", where});
  }

  void assignment(const Stmt& stmt, const Assignment& node, bool in_loop) {
    const std::string& name = node.left.base_name();
    if (node.left.tuple) {
      Names names = container_names(*node.right);
      names.insert(name);
      return add(names, {"a slot of a tuple is assigned", stmt.span});
    }
    if (in_loop && picks_element(node.type, node.left.indexes))
      demote(stmt, "Accessed by element in a for loop", {name}, {"its element is assigned in a loop", stmt.span});
    if (is_complex(node.type.base()) || node.type.base() == BaseType::Tuple) return never_whole(stmt, name, node);
    if (!is_matrix_like(node.type)) return;
    filled_.push_back({&stmt, name, node.right.get()});
    const FunApp* call = as_call(*node.right);
    Names names = container_names(*node.right);
    names.insert(name);
    if (call && breaks_up_arguments(*call) && is_matrix_like(node.right->type))
      demote(stmt, why(*call), names, {why_taken_apart(*call), place(*node.right, stmt)});
    else if (is_built_from_scalars(*node.right))
      demote(stmt,
             "The right hand side of the assignment only contains data and scalar operations that are not promotable "
             "to SoA",
             names, {"the right side is computed by element", place(*node.right, stmt)});
  }

  void never_whole(const Stmt& stmt, const std::string& name, const Assignment& node) {
    const bool complex = is_complex(node.type.base());
    Names names = container_names(*node.right);
    if (complex && !names.empty()) warnings_.push_back({stmt.span, "Complex-valued types cannot be SoA: " + name});
    names.insert(name);
    add(names, {complex ? "complex numbers are stored by element" : "tuples hold their containers by element", stmt.span});
  }

  // ---- the fixed point

  void spread() {
    for (std::size_t before = aos_.size() + 1; before != aos_.size();) {
      before = aos_.size();
      for (const Filled& filled : filled_) spread(filled);
    }
    for (const Filled& filled : filled_)
      if (aos_.contains(filled.name))
        warnings_.push_back({filled.stmt->span, "Right hand side contains only AoS expressions: " + filled.name});
  }

  void spread(const Filled& filled) {
    const Names right = container_names(*filled.value);
    const bool all = std::ranges::all_of(right, [&](const std::string& name) { return aos_.contains(name); });
    if (aos_.contains(filled.name))
      add(right, {"it is assigned to '" + filled.name + "', which is AoS", filled.stmt->span});
    else if (all && !right.empty())
      add({filled.name}, {"what is assigned to it is AoS: " + listed(right), filled.stmt->span});
  }

  Names aos_, constants_;
  std::map<std::string, Cause> causes_;
  std::vector<Filled> filled_;
  std::vector<MemoryReport::Warning> warnings_;
};

// ---------------------------------------------------------------- rewriting

class Rewriter {
 public:
  explicit Rewriter(const Names& aos) : aos_(aos) {}

  StmtPtr statement(const StmtPtr& stmt) const {
    contents_.clear();
    const auto* target = std::get_if<Assignment>(&stmt->node);
    const auto* declared = std::get_if<Decl>(&stmt->node);
    const bool forced =
        (target && aos_.contains(target->left.base_name())) || (declared && aos_.contains(declared->id));
    const StmtPtr done = map_exprs(stmt, [&](const ExprPtr& expr) { return expression(expr, forced); });
    const auto* decl = std::get_if<Decl>(&done->node);
    const auto* type = decl ? std::get_if<SizedType>(&decl->type) : nullptr;
    if (!type || forced) return done;
    Decl copy = *decl;
    std::get<SizedType>(copy.type).mem = is_matrix_like(type->type()) ? MemPattern::SoA : MemPattern::AoS;
    return make_stmt(std::move(copy), done->span);
  }

 private:
  /// The containers that enter an expression as wholes (container_names): none, only ones without memory pattern, or more.
  enum class Content : std::uint8_t { None, ElementWise, Whole };

  Content content(const Expr& expr) const {
    if (expr.type.is_scalar()) return Content::None;
    const auto [known, fresh] = contents_.try_emplace(&expr, Content::None);
    if (!fresh) return known->second;
    Content out = Content::None;
    const Names own = as_var(expr) ? container_names(expr) : Names();
    if (!own.empty()) out = aos_.contains(*own.begin()) ? Content::ElementWise : Content::Whole;
    each_child(expr, [&](const Expr& child) { out = std::max(out, content(child)); });
    return contents_[&expr] = out;
  }

  /// A matrix of copies of a vector is whole only where the vector is: choices and literals are not.
  static bool repeats_elements(const FunApp& call) {
    const auto* fn = std::get_if<StanLib>(&call.fn);
    return fn && fn->fn == Builtin::rep_matrix && !call.args.empty() && !call.args[0]->type.is_scalar() && !uses_container(*call.args[0]);
  }

  bool element_wise_arguments(const FunApp& call) const {
    Content out = Content::None;
    for (const ExprPtr& arg : call.args) out = std::max(out, content(*arg));
    return out == Content::ElementWise;
  }

  ExprPtr expression(const ExprPtr& expr, bool forced) const {
    const bool choice = std::holds_alternative<TernaryIf>(expr->node) && is_matrix_like(expr->type);
    const FunApp* call = as_call(*expr);
    const bool library = call && std::holds_alternative<StanLib>(call->fn);
    const bool element_wise = forced || choice || (call && breaks_up_arguments(*call)) ||
                              (library && (element_wise_arguments(*call) || repeats_elements(*call)));
    const ExprPtr inner = map_children(expr, [&](const ExprPtr& child) { return expression(child, element_wise); });
    if (!call) return inner;
    FunApp out = *as_call(*inner);
    const MemPattern mem = element_wise ? MemPattern::AoS : MemPattern::SoA;
    if (auto* built_in = std::get_if<StanLib>(&out.fn)) built_in->mem = mem;
    if (auto* internal = std::get_if<CompilerInternal>(&out.fn); internal && internal->fn == Internal::FnReadParam)
      internal->mem = mem;
    return make_expr(std::move(out), inner->type, inner->ad, inner->span);
  }

  const Names& aos_;
  mutable std::unordered_map<const Expr*, Content> contents_;  // of one statement: each of its expressions is asked often
};

bool holds_container(const Type& type) {
  if (type.base() == BaseType::Tuple) return std::ranges::any_of(type.slots(), holds_container);
  return is_matrix_like(type);
}

MemoryReport::Row row(const SizedType& type, const std::string& name, const Patterns& patterns) {
  const bool soa = !patterns.element_wise().contains(name);
  const Cause cause = soa ? Cause() : patterns.cause(name);
  return {type, name, soa, cause.text, cause.where};
}

void run(Program& program, PassContext& context) {
  const Patterns patterns(program.reverse_mode_log_prob);
  MemoryReport& report = context.memory_report;
  report = {};
  report.warnings = patterns.warnings();
  for (const StmtPtr& stmt : program.reverse_mode_log_prob)
    each_substmt(*stmt, [&](const Stmt& s) {
      const auto* decl = std::get_if<Decl>(&s.node);
      const auto* type = decl ? std::get_if<SizedType>(&decl->type) : nullptr;
      if (type && holds_container(type->type()))
        report.rows.push_back(row(*type, decl->id, patterns));
    });
  const Rewriter rewriter(patterns.element_wise());
  program.reverse_mode_log_prob =
      rewrite(program.reverse_mode_log_prob, [&](const StmtPtr& stmt) { return rewriter.statement(stmt); });
}

}  // namespace

const Pass kMemoryPatterns = {"memory-patterns", "stores containers whole where nothing needs their elements", true,
                              run};

}  // namespace fermiac::mir
