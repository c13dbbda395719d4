// Data that are not known: they become variables of the density, with all that depends on them.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "frontend/builtins/builtins.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/lower/lower.h"
#include "mir/sites/definitions.h"
#include "mir/sites/sites.h"

namespace fermiac::mir {
namespace {

using Names = std::set<std::string>;
using Statements = std::vector<StmtPtr>;

bool meets(const Names& a, const Names& b) {
  return std::ranges::any_of(a, [&](const std::string& name) { return b.contains(name); });
}

Names read_by(const Stmt& stmt) {
  Names out;
  each_substmt(stmt, [&](const Stmt& s) { each_expr(s, [&](const Expr& e) { out.merge(variables(e)); }); });
  return out;
}

Names written_by(const Stmt& stmt) {
  Names out = assigned_variables(stmt);
  each_substmt(stmt, [&](const Stmt& s) {
    if (const auto* d = std::get_if<Decl>(&s.node)) out.insert(d->id);
  });
  return out;
}

/// The declared constraint that a check of data tests, if the statement is one of `variable`.
const CompilerInternal* check_of(const Stmt& s, const std::string& variable) {
  const auto* call = std::get_if<NRFunApp>(&s.node);
  const auto* fn = call ? as_internal(call->fn) : nullptr;
  return fn && fn->fn == Internal::FnCheck && fn->var_name == variable ? fn : nullptr;
}

/// Lower and upper bounds are checked by one statement each.
Transform joined(const Transform& a, const Transform& b) {
  if (a.kind == TransformKind::Lower && b.kind == TransformKind::Upper) return {TransformKind::LowerUpper, a.first, b.second};
  if (a.kind == TransformKind::Upper && b.kind == TransformKind::Lower) return {TransformKind::LowerUpper, b.first, a.second};
  return b;
}

class Lifter {
 public:
  Lifter(Program& program, const Names& unknown, const std::map<std::string, Transform>& implied)
      : program_(program), unknown_(unknown), implied_(implied), lifted_(unknown) {}

  void run() {
    close();
    check_sizes();
    Statements kept, moved = declarations(), checks = own_checks();
    moved.insert(moved.end(), checks.begin(), checks.end());
    for (const StmtPtr& s : program_.prepare_data) {
      if (is_own_check(*s)) continue;
      if (moves(*s)) refuse_draws(*s);
      (moves(*s) ? moved : kept).push_back(s);
    }
    program_.prepare_data = std::move(kept);
    insert_behind_parameters(program_.log_prob, moved);
    insert_behind_parameters(program_.generate_quantities, moved);
  }

 private:
  bool is_declared_unknown(const Stmt& s) const {
    const auto* d = std::get_if<Decl>(&s.node);
    return d && unknown_.contains(d->id);
  }
  bool is_own_check(const Stmt& s) const {
    return std::ranges::any_of(unknown_, [&](const std::string& name) { return check_of(s, name) != nullptr; });
  }

  /// Everything that is computed from what is not known.
  void close() {
    for (std::size_t before = 0; before != lifted_.size();) {
      before = lifted_.size();
      for (const StmtPtr& s : program_.prepare_data) {
        if (is_declared_unknown(*s) || is_own_check(*s)) continue;
        const Names written = written_by(*s);
        if (meets(read_by(*s), lifted_) || meets(written, lifted_)) lifted_.insert(written.begin(), written.end());
      }
    }
  }

  bool moves(const Stmt& s) const {
    if (is_declared_unknown(s) || is_own_check(s)) return false;
    return meets(read_by(s), lifted_) || meets(written_by(s), lifted_);
  }

  std::string cause(const Names& names) const {
    for (const std::string& name : names)
      if (unknown_.contains(name)) return name;
    return *unknown_.begin();
  }

  void check_size(const SizedType& type, Span span) const {
    for (const ExprPtr& size : all_dims(type))
      if (meets(variables(*size), lifted_)) throw ProgramError(span, cause(variables(*size)) + " is missing, but sizes depend on it");
  }

  void check_sizes() const {
    for (const InputVar& v : program_.input_vars) check_size(v.type, v.span);
    for (const OutputVar& v : program_.output_vars) {
      check_size(v.constrained, v.span);
      for (const ExprPtr& bound : {v.transform.first, v.transform.second})
        if (bound && v.block == BlockKind::Parameters && meets(variables(*bound), lifted_))
          throw ProgramError(v.span, "bounds of " + v.name + " depend on " + cause(variables(*bound)) + ", which is missing");
    }
    for (const StmtPtr& s : program_.prepare_data) {
      if (const auto* d = std::get_if<Decl>(&s->node))
        if (const auto* sized = std::get_if<SizedType>(&d->type)) check_size(*sized, s->span);
      if (const auto* call = std::get_if<NRFunApp>(&s->node); call && as_internal(call->fn)) {
        const Internal fn = as_internal(call->fn)->fn;
        const bool size = fn == Internal::FnValidateSize || fn == Internal::FnValidateSizePositive || fn == Internal::FnValidateSizeUnitVector;
        if (size && meets(read_by(*s), lifted_)) throw ProgramError(s->span, cause(read_by(*s)) + " is missing, but sizes depend on it");
      }
    }
  }

  Transform transform_of(const std::string& name) const {
    Transform out;
    for (const StmtPtr& s : program_.prepare_data)
      if (const auto* check = check_of(*s, name)) out = out.kind == TransformKind::None ? check->transform : joined(out, check->transform);
    const auto found = implied_.find(name);
    return out.kind == TransformKind::None && found != implied_.end() ? found->second : out;
  }

  /// Declarations of what is not known, like those of parameters.
  Statements declarations() {
    Statements out;
    std::vector<OutputVar> outputs;
    for (const InputVar& v : program_.input_vars) {
      if (!unknown_.contains(v.name)) continue;
      OutputVar output{.name = v.name, .span = v.span, .unconstrained = {}, .constrained = v.type, .block = BlockKind::Parameters,
                       .transform = transform_of(v.name), .slot_transforms = {}};
      output.unconstrained = free_type(v.type, output.transform.kind);
      outputs.push_back(std::move(output));
      out.push_back(declare(v.name, v.type, true, v.span));
    }
    auto at = std::ranges::find_if(program_.output_vars, [](const OutputVar& v) { return v.block != BlockKind::Parameters; });
    program_.output_vars.insert(at, outputs.begin(), outputs.end());
    return out;
  }

  /// Observed numbers beside missing ones are tested too.
  Statements own_checks() const {
    Statements out;
    for (const StmtPtr& s : program_.prepare_data)
      if (is_own_check(*s)) out.push_back(s);
    return out;
  }

  void refuse_draws(const Stmt& s) const {
    if (effects(s).has(Effect::Rng))
      throw ProgramError(s.span, "transformed data draw random numbers from " + cause(read_by(s)) + ", which is missing");
  }

  void insert_behind_parameters(Statements& section, const Statements& moved) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i < section.size(); ++i)
      if (const auto* d = std::get_if<Decl>(&section[i]->node); d && is_parameter(d->id)) at = i + 1;
    while (at < section.size() && is_shape_check(*section[at])) ++at;
    section.insert(section.begin() + static_cast<std::ptrdiff_t>(at), moved.begin(), moved.end());
  }
  bool is_parameter(const std::string& name) const {
    return std::ranges::any_of(program_.output_vars, [&](const OutputVar& v) { return v.block == BlockKind::Parameters && v.name == name; });
  }
  static bool is_shape_check(const Stmt& s) {
    const auto* call = std::get_if<NRFunApp>(&s.node);
    const auto* fn = call ? std::get_if<StanLib>(&call->fn) : nullptr;
    return fn && fn->fn == Builtin::check_matching_dims;
  }

  Program& program_;
  const Names& unknown_;
  const std::map<std::string, Transform>& implied_;
  Names lifted_;
};

// ---------------------------------------------------------------- implied constraints

/// Distributions whose support begins or ends at an argument: which, from 1; 0: none.
struct Ends {
  std::string_view name;
  std::size_t lower, upper;
};
constexpr std::array kEnds = {Ends{"uniform", 1, 2}, Ends{"pareto", 1, 0}, Ends{"pareto_type_2", 1, 0}, Ends{"beta_proportion", 0, 0}};

struct Bounds {
  ExprPtr lower, upper;
};

Bounds support_of(const Site& site) {
  const std::vector<ExprPtr>& args = as_call(*site.call)->args;
  Bounds out;
  if (const auto ends = std::ranges::find(kEnds, site.distribution, &Ends::name); ends != kEnds.end()) {
    if (ends->lower > 0) out.lower = args[ends->lower];
    if (ends->upper > 0) out.upper = args[ends->upper];
  }
  const BuiltinRow* row = find_distribution(site.distribution);
  const std::vector<ArgumentDoc> docs = row ? argument_docs(*row) : std::vector<ArgumentDoc>{};
  const std::string_view domain = docs.empty() ? std::string_view() : docs[0].domain;
  const bool unit = domain == "[0,1]" || domain == "(0,1)";
  if (!out.lower && (unit || domain == "+" || domain == ">=0")) out.lower = real_lit("0.0");
  if (!out.upper && unit) out.upper = real_lit("1.0");
  if (site.lower) out.lower = site.lower;
  if (site.upper) out.upper = site.upper;
  return out;
}

Transform transform_of(const Bounds& b) {
  if (b.lower && b.upper) return {TransformKind::LowerUpper, b.lower, b.upper};
  if (b.lower) return {TransformKind::Lower, b.lower, nullptr};
  if (b.upper) return {TransformKind::Upper, nullptr, b.upper};
  return {};
}

bool same_or_none(const ExprPtr& a, const ExprPtr& b) {
  return a && b ? same(*a, *b) : !a && !b;
}

}  // namespace

void lift_data(Program& program, const std::set<std::string>& unknown, const std::map<std::string, Transform>& implied) {
  if (!unknown.empty()) Lifter(program, unknown, implied).run();
}

void check_held(Program& program, const std::set<std::string>& held) {
  Names parameters;
  std::size_t behind = 0;
  for (const OutputVar& v : program.output_vars)
    if (v.block == BlockKind::Parameters) parameters.insert(v.name);
  for (std::size_t i = 0; i < program.log_prob.size(); ++i)
    if (const auto* d = std::get_if<Decl>(&program.log_prob[i]->node); d && parameters.contains(d->id)) behind = i + 1;
  Statements checks;
  for (const OutputVar& v : program.output_vars) {
    const bool bounds = v.transform.kind == TransformKind::Lower || v.transform.kind == TransformKind::Upper || v.transform.kind == TransformKind::LowerUpper;
    if (!bounds || v.block != BlockKind::Parameters || !held.contains(v.name)) continue;
    const Transform sides[] = {{TransformKind::Lower, v.transform.first, nullptr}, {TransformKind::Upper, nullptr, v.transform.second}};
    for (const Transform& side : sides) {
      const ExprPtr bound = side.first ? side.first : side.second;
      if (!bound || !meets(variables(*bound), parameters)) continue;
      CompilerInternal check{.fn = Internal::FnCheck, .transform = side, .var_name = v.name};
      check.var = var(v.name, v.constrained.type(), uniform_level(v.constrained.type(), true));
      checks.push_back(internal_stmt(std::move(check), {bound}, v.span));
    }
  }
  program.log_prob.insert(program.log_prob.begin() + static_cast<std::ptrdiff_t>(behind), checks.begin(), checks.end());
}

std::map<std::string, Transform> implied_constraints(const Program& opened, const SiteTable& sites, const std::set<std::string>& unknown) {
  Names known;  // data that bounds may depend on
  for (const StmtPtr& s : opened.prepare_data)
    if (const auto* d = std::get_if<Decl>(&s->node); d && !unknown.contains(d->id)) known.insert(d->id);
  const auto on_data = [&](const ExprPtr& e) {
    return !e || (!is_container(e->type) && std::ranges::all_of(variables(*e), [&](const std::string& name) { return known.contains(name); }));
  };
  std::map<std::string, Transform> out;
  for (const std::string& variable : unknown) {
    std::optional<Bounds> bounds;
    for (const auto& site : sites.sites) {
      const bool names = site->kind == SiteKind::Density && site->left[0].names && variables_moved(*site->left[0].names).contains(variable);
      if (!names) continue;
      Bounds own = support_of(*site);
      if (!on_data(own.lower)) own.lower = nullptr;
      if (!on_data(own.upper)) own.upper = nullptr;
      if (!bounds) bounds = own;
      else if (!same_or_none(bounds->lower, own.lower) || !same_or_none(bounds->upper, own.upper)) bounds = Bounds{};
    }
    if (bounds) out[variable] = transform_of(*bounds);
  }
  return out;
}

}  // namespace fermiac::mir
