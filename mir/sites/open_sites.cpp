#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/pass_tools.h"
#include "mir/sites/accumulators.h"
#include "mir/sites/definitions.h"
#include "mir/sites/density.h"
#include "mir/sites/sites.h"

namespace fermiac::mir {
namespace {

using Statements = std::vector<StmtPtr>;
using Names = std::set<std::string>;

constexpr const char* kPart = "part__";

// ---------------------------------------------------------------- named variables

Names input_names(const Program& program) {
  Names out;
  for (const InputVar& v : program.input_vars) out.insert(v.name);
  return out;
}

std::vector<NamedVariable> named_variables(const Program& program) {
  using Kind = NamedVariable::Kind;
  std::vector<NamedVariable> out;
  for (const InputVar& v : program.input_vars) out.push_back({Kind::Data, v.name, v.type.type()});
  const Names inputs = input_names(program);
  for (const StmtPtr& s : program.prepare_data)
    if (const auto* d = std::get_if<Decl>(&s->node); d && !inputs.contains(d->id) && !d->id.ends_with("__"))
      if (const auto* sized = std::get_if<SizedType>(&d->type)) out.push_back({Kind::TransformedData, d->id, sized->type()});
  for (const OutputVar& v : program.output_vars)
    if (v.block == BlockKind::Parameters && !inputs.contains(v.name)) out.push_back({Kind::Parameter, v.name, v.constrained.type()});
  return out;
}

// ---------------------------------------------------------------- truncations of `~`

/// The statement that lowering puts behind a `~` with T[L, U], or null.
const IfElse* truncation_of(const Stmt& tilde, const Stmt* next) {
  if (!next || !(next->span == tilde.span)) return nullptr;
  const auto* branch = std::get_if<IfElse>(&next->node);
  const auto* beyond = branch ? std::get_if<TargetPE>(&branch->yes->node) : nullptr;
  return beyond && is_internal(*beyond->value, Internal::FnNegInf) ? branch : nullptr;
}

void read_bounds(const IfElse& branch, Site& site) {
  const FunApp& test = *as_call(*branch.test);
  const bool below = std::get<StanLib>(test.fn).fn == Builtin::Less;
  (below ? site.lower : site.upper) = test.args[1];
  if (const auto* more = branch.no ? std::get_if<IfElse>(&branch.no->node) : nullptr) read_bounds(*more, site);
}

// ---------------------------------------------------------------- the walk

/// Where target() is read other than to print it.
std::optional<Span> target_read(const Statements& section) {
  std::optional<Span> out;
  const auto look = [&](const Expr& e) {
    if (!out && as_call(e, Builtin::target)) out = e.span;
  };
  for (const StmtPtr& s : section)
    each_substmt(*s, [&](const Stmt& inner) {
      const auto* call = std::get_if<NRFunApp>(&inner.node);
      const auto* fn = call ? as_internal(call->fn) : nullptr;
      if (!fn || fn->fn != Internal::FnPrint) each_expr(inner, [&](const Expr& e) { each_subexpr(e, look); });
    });
  return out;
}

class Opener {
 public:
  Opener(Program& program, const Names& unknown_ints)
      : program_(program), unknown_ints_(unknown_ints), definitions_(program, named_variables(program)), accumulators_(find_accumulators(program.log_prob)) {
    for (const StmtPtr& s : program.prepare_data)
      if (const auto* d = std::get_if<Decl>(&s->node)) scope_.insert(d->id);
    for (const NamedVariable& v : definitions_.variables()) scope_.insert(v.name);
  }

  SiteTable run() {
    table_.target_read = target_read(program_.log_prob);
    if (table_.target_read && !unknown_ints_.empty())
      throw ProgramError(*table_.target_read, "target() is read here, and depends on all ints that are missing, so that these cannot be summed out");
    program_.log_prob = list(program_.log_prob);
    table_.variables = definitions_.variables();
    for (NamedVariable& v : table_.variables)
      if (v.kind == NamedVariable::Kind::TransformedData) v.from = definitions_.from(*var(v.name, v.type)), v.from.erase(v.name);
    find_modeled();
    return std::move(table_);
  }

 private:
  /// An expression that decides whether, or how often, a statement runs.
  struct Test {
    ExprPtr expr;
    bool all = false;  // its values in other rounds, or before something changed, decide too
  };

  void find_modeled() {
    for (const auto& site : table_.sites)
      for (const SiteLeft& left : site->left)
        if (left.names)
          for (const std::string& name : variables_moved(*left.names))
            if (table_.is_data(name)) table_.modeled.insert(name);
  }

  // ---- statements

  Statements list(const Statements& body) {
    Statements out;
    for (std::size_t i = 0; i < body.size(); ++i) {
      const Stmt* next = i + 1 < body.size() ? body[i + 1].get() : nullptr;
      if (const auto* target = std::get_if<TargetPE>(&body[i]->node)) {
        const IfElse* truncation = truncation_of(*body[i], next);
        append(out, terms(*body[i], summands(target->value), truncation ? body[i + 1] : nullptr));
        i += truncation != nullptr;
      } else {
        append(out, statement(body[i]));
      }
    }
    return out;
  }

  static void append(Statements& out, Statements more) { out.insert(out.end(), more.begin(), more.end()); }

  Statements statement(const StmtPtr& s) {
    if (const auto* d = std::get_if<Decl>(&s->node)) return declaration(s, *d);
    if (const auto* a = std::get_if<Assignment>(&s->node); a && accumulators_.contains(a->left.base_name()))
      return terms(*s, added_by(*a), nullptr);
    if (const auto* call = std::get_if<NRFunApp>(&s->node); call && call_effects(call->fn).has(Effect::Target))
      throw ProgramError(s->span, "the function adds to target, but calls itself or is too large to look into: its statements have no names");
    if (std::holds_alternative<Block>(s->node) || std::holds_alternative<Profile>(s->node)) return {inside(s, {})};
    if (const auto* l = std::get_if<SList>(&s->node)) return list(l->body);
    if (std::holds_alternative<IfElse>(s->node) || std::holds_alternative<While>(s->node) || std::holds_alternative<For>(s->node)) {
      const auto* f = std::get_if<For>(&s->node);
      const std::vector<Test> tests = tests_of(*s);
      return chosen(s, tests, {inside(s, tests, f ? f->variable : std::string())});
    }
    if (rejects(*s) && unknown_decides()) return {choice(s, {s}, {})};
    if (const std::vector<Test> checked = checked_by(*s); reads_unknown(checked) || (!checked.empty() && unknown_decides()))
      return {choice(s, {s}, checked)};
    return {s};
  }

  Statements declaration(const StmtPtr& s, const Decl& d) {
    scope_.insert(d.id);
    if (!accumulators_.contains(d.id)) return {s};
    if (!d.value) return {};
    return terms(*s, added_by(Assignment{to_variable(d.id), d.value->type, d.value}), nullptr);
  }

  /// What decides whether, or how often, the statements inside of this one run.
  std::vector<Test> tests_of(const Stmt& s) const {
    std::vector<Test> out;
    const auto add = [&](const ExprPtr& test, bool all) { out.push_back({test, all || !definitions_.keeps_value(*test, s)}); };
    if (const auto* i = std::get_if<IfElse>(&s.node)) add(i->test, false);
    if (const auto* w = std::get_if<While>(&s.node)) add(w->test, true);
    if (const auto* f = std::get_if<For>(&s.node)) add(f->lower, false), add(f->upper, false);
    if (std::holds_alternative<IfElse>(s.node)) return out;
    for (const ExprPtr& test : jump_tests(s)) add(test, true);
    return out;
  }

  /// What a check of a declared constraint looks at. Data that are missing keep to bounds that depend on no other such data.
  std::vector<Test> checked_by(const Stmt& s) const {
    std::vector<Test> out;
    const auto* call = std::get_if<NRFunApp>(&s.node);
    const auto* fn = call ? as_internal(call->fn) : nullptr;
    if (!fn || fn->fn != Internal::FnCheck) return out;
    for (const ExprPtr& bound : call->args) out.push_back({bound, false});
    const Var* v = as_var(*fn->var);
    if (v && unknown_ints_.contains(v->name) && !reads_unknown(out)) return {};
    out.push_back({fn->var, false});
    return out;
  }

  StmtPtr inside(const StmtPtr& s, const std::vector<Test>& tests, const std::string& variable = {}) {
    const Names outer = scope_;
    const std::size_t depth = tests_.size();
    const std::vector<SiteLoop> outer_loops = loops_;
    const bool outer_while = in_while_;
    const Names outer_conditions = conditions_, outer_bounds = bounds_;
    tests_.insert(tests_.end(), tests.begin(), tests.end());
    in_while_ |= std::holds_alternative<While>(s->node);
    const auto* loop = std::get_if<For>(&s->node);
    if (loop) loops_.push_back({++loop_count_, variable});
    for (const Test& test : tests) {
      const bool bound = loop && (test.expr == loop->lower || test.expr == loop->upper);
      (bound ? bounds_ : conditions_).merge(definitions_.from(*test.expr));
    }
    if (!variable.empty()) scope_.insert(variable);
    StmtPtr out = std::holds_alternative<Block>(s->node) || std::holds_alternative<Profile>(s->node)
                      ? with_body(s, list(body_of(*s)))
                      : map_children(s, [&](const StmtPtr& child) { return block(list({child}), child->span); });
    tests_.resize(depth);
    loops_ = outer_loops;
    in_while_ = outer_while;
    conditions_ = outer_conditions;
    bounds_ = outer_bounds;
    scope_ = outer;
    return out;
  }

  static const Statements& body_of(const Stmt& s) {
    if (const auto* b = std::get_if<Block>(&s.node)) return b->body;
    return std::get<Profile>(s.node).body;
  }
  static StmtPtr with_body(const StmtPtr& s, Statements body) {
    if (const auto* p = std::get_if<Profile>(&s->node)) return make_stmt(Profile{p->name, std::move(body)}, s->span);
    return block(std::move(body), s->span);
  }

  // ---- terms of target

  /// A statement for each summand. `truncation` belongs to the only summand of a `~`.
  Statements terms(const Stmt& s, std::vector<Summand> parts, const StmtPtr& truncation) {
    std::erase_if(parts, [&](const Summand& part) {
      return std::ranges::any_of(accumulators_, [&](const std::string& name) { return is_whole(part, name); });
    });
    std::vector<bool> used(parts.size());
    Statements out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto density = density_of(parts[i], [&](const Expr& e) { return is_data(e); });
      if (!density || density->kind != SiteKind::Density || used[i]) continue;
      for (std::size_t k = 0; k < parts.size(); ++k) used[k] = used[k] || (k != i && mass_of(parts[k], *density).has_value());
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (!used[i]) out.push_back(site(s, parts, i, truncation));
    return out;
  }

  StmtPtr site(const Stmt& s, const std::vector<Summand>& parts, std::size_t i, const StmtPtr& truncation) {
    auto made = std::make_shared<Site>();
    Site& site = *made;
    site.number = table_.sites.size() + 1;
    site.span = s.span;
    site.loops = loops_;
    site.in_while = in_while_;
    site.tests = conditions_;
    site.bounds = bounds_;
    Statements body = {target_pe(signed_value(parts[i]), s.span)};
    if (auto density = density_of(parts[i], [&](const Expr& e) { return is_data(e); })) {
      describe(site, *density);
      for (std::size_t k = 0; density->kind == SiteKind::Density && k < parts.size(); ++k)
        if (const auto mass = k == i ? std::nullopt : mass_of(parts[k], *density)) {
          site.lower = mass->lower, site.upper = mass->upper, site.mass_count = mass->count;
          body.push_back(target_pe(signed_value(parts[k]), s.span));
        }
      if (truncation) {
        read_bounds(std::get<IfElse>(truncation->node), site);
        body.push_back(truncation);
      }
    } else {
      describe_term(site, parts[i]);
    }
    for (const Test& test : tests_) add_control(test, site);
    for (const ExprPtr& e : {site.factor, site.lower, site.upper, site.term})
      if (e) add_argument(e, site);
    StmtPtr out = block(std::move(body), s.span);
    table_.marks[out.get()] = made;
    table_.sites.push_back(std::move(made));
    return out;
  }

  /// A test around a site or a choice: what it read, in this round or in others.
  void add_control(const Test& test, Site& site) const {
    site.controls.merge(definitions_.depends(*test.expr));
    if (test.all) add_all_reads(*test.expr, definitions_, scope_, site.read);
    else add_reads(test.expr, false, definitions_, scope_, site.read);
  }
  void add_argument(const ExprPtr& e, Site& site) const {
    site.depends.merge(definitions_.depends(*e));
    add_reads(e, false, definitions_, scope_, site.read);
  }

  bool is_data(const Expr& e) const {
    return std::ranges::none_of(definitions_.depends(e), [&](const std::string& name) {
      const NamedVariable* v = find(name);
      return v && v->kind == NamedVariable::Kind::Parameter;
    });
  }
  const NamedVariable* find(const std::string& name) const {
    const auto& all = definitions_.variables();
    const auto found = std::ranges::find(all, name, &NamedVariable::name);
    return found == all.end() ? nullptr : &*found;
  }

  void describe(Site& site, const DensityCall& density) {
    site.kind = density.kind;
    site.distribution = density.distribution;
    site.call = density.call;
    site.factor = density.factor;
    const std::vector<ExprPtr>& args = as_call(*density.call)->args;
    site.left.push_back(definitions_.left(args[0], scope_));
    add_index_reads(args[0], definitions_, scope_, site.read);
    for (const SiteRead& read : site.read) site.controls.merge(variables_moved(*read.names));
    for (std::size_t k = 1; k < args.size(); ++k) {
      site.reads.merge(definitions_.from(*args[k]));
      site.depends.merge(definitions_.depends(*args[k]));
      const std::size_t first = site.read.size();
      add_reads(args[k], true, definitions_, scope_, site.read);
      for (std::size_t i = first; i < site.read.size(); ++i) site.read[i].argument = static_cast<int>(k);
    }
  }

  void describe_term(Site& site, const Summand& part) {
    site.term = signed_value(part);
    site.reads = definitions_.from(*site.term);
    if (const FunApp* sum = reduce_sum_of(*part.value)) open_reduce_sum(site, *sum, part.negative);
    Names scope = scope_;
    if (site.part) scope.insert(kPart);
    for (const ExprPtr& variate : variates(site.part ? site.part : site.term, program_, definitions_))
      site.left.push_back(definitions_.left(variate, scope, true));
  }

  static const FunApp* reduce_sum_of(const Expr& e) {
    const StanLib* fn = as_library(e);
    return fn && (fn->fn == Builtin::reduce_sum || fn->fn == Builtin::reduce_sum_static) ? as_call(e) : nullptr;
  }

  /// The function on slices of one element, which its contract makes equal.
  void open_reduce_sum(Site& site, const FunApp& sum, bool negative) {
    const ExprPtr one = int_var(kPart);
    std::vector<ExprPtr> args = {indexed(sum.args[1], {between(one, one)}), one, one};
    args.insert(args.end(), sum.args.begin() + 3, sum.args.end());
    const ExprPtr call = partial_sum(*sum.args[0], std::move(args));
    if (!call) return;
    site.part = signed_value({call, negative});
    site.parts = internal_call(Internal::FnLength, {sum.args[1]}, BaseType::Int);
    site.part_variable = kPart;
    Names scope = scope_;
    scope.insert(kPart);
    site.part_row = definitions_.moved(as_call(*call)->args[0], scope);
  }

  // ---- choices

  bool reads_unknown(const std::vector<Test>& tests) const {
    return std::ranges::any_of(tests, [&](const Test& test) {
      const Names names = definitions_.depends(*test.expr);
      return std::ranges::any_of(names, [&](const std::string& name) { return unknown_ints_.contains(name); });
    });
  }
  bool unknown_decides() const { return reads_unknown(tests_); }

  /// What the control flow here reads; after it the statement, or nothing.
  StmtPtr choice(const StmtPtr& s, Statements body, const std::vector<Test>& tests) {
    auto made = std::make_shared<Site>();
    made->span = s->span;
    made->kind = SiteKind::Choice;
    made->guards = !body.empty();
    std::vector<Test> all = tests_;
    all.insert(all.end(), tests.begin(), tests.end());
    for (const Test& test : all) add_control(test, *made);
    StmtPtr out = block(std::move(body), s->span);
    table_.marks[out.get()] = std::move(made);
    return out;
  }

  bool matters(const Stmt& s) const {
    bool out = false;
    each_substmt(s, [&](const Stmt& inner) {
      const auto* a = std::get_if<Assignment>(&inner.node);
      const auto* d = std::get_if<Decl>(&inner.node);
      const bool adds = std::holds_alternative<TargetPE>(inner.node) || (a && accumulators_.contains(a->left.base_name())) || (d && accumulators_.contains(d->id));
      out = out || adds || rejects(inner) || !checked_by(inner).empty();
    });
    return out;
  }
  static bool rejects(const Stmt& s) {
    const auto* call = std::get_if<NRFunApp>(&s.node);
    const auto* fn = call ? as_internal(call->fn) : nullptr;
    return fn && fn->fn == Internal::FnReject;
  }

  /// Statements behind a place where a loop is left early depend on what decides there, without standing in it.
  void refuse_jumps(const Stmt& s) const {
    each_substmt(s, [&](const Stmt& inner) {
      if (std::holds_alternative<Break>(inner.node) || std::holds_alternative<Continue>(inner.node))
        throw ProgramError(inner.span, "a loop is left here as ints say that are missing; write the condition around the statements that it is about");
    });
  }

  /// The statement, behind a choice if unknown ints decide in it.
  Statements chosen(const StmtPtr& s, const std::vector<Test>& tests, Statements made) {
    if (!reads_unknown(tests)) return made;
    refuse_jumps(*s);
    if (!matters(*s)) return made;
    made.insert(made.begin(), choice(s, {}, tests));
    return made;
  }

  Program& program_;
  const Names& unknown_ints_;
  Definitions definitions_;
  Names accumulators_, scope_;
  std::vector<Test> tests_;
  std::vector<SiteLoop> loops_;  // around the statement that is being read
  std::size_t loop_count_ = 0;
  bool in_while_ = false;
  Names conditions_, bounds_;    // what the conditions and the bounds of loops around it come from
  SiteTable table_;
};

/// Terms that a function without a body adds are none of the sites.
void refuse_foreign_terms(const Program& program) {
  const auto refuse = [&](const FunctionKind& fn, Span span) {
    const auto* user = std::get_if<UserDefined>(&fn);
    if (user && user->suffix == Suffix::Target && std::ranges::none_of(program.functions, [&](const Function& f) { return f.body && f.name == user->name; }))
      throw ProgramError(span, "'" + user->name + "' adds to target in a header in C++, where what it adds cannot be told apart");
  };
  for (const StmtPtr& s : program.log_prob)
    each_substmt(*s, [&](const Stmt& inner) {
      if (const auto* call = std::get_if<NRFunApp>(&inner.node)) refuse(call->fn, inner.span);
      each_expr(inner, [&](const Expr& top) {
        each_subexpr(top, [&](const Expr& e) {
          if (const FunApp* call = as_call(e)) refuse(call->fn, e.span);
        });
      });
    });
}

}  // namespace

const NamedVariable* SiteTable::find(const std::string& name) const {
  const auto found = std::ranges::find(variables, name, &NamedVariable::name);
  return found == variables.end() ? nullptr : &*found;
}

bool SiteTable::is_data(const std::string& name) const {
  const NamedVariable* v = find(name);
  return v && v->kind != NamedVariable::Kind::Parameter;
}

bool SiteTable::reads_data(const Site& site) const {
  const auto observed = [&](const std::string& name) { return is_data(name) && (modeled.contains(name) || is_container(find(name)->type)); };
  return std::ranges::any_of(site.reads, [&](const std::string& name) { return is_data(name); }) || std::ranges::any_of(site.tests, observed) ||
         std::ranges::any_of(site.bounds, [&](const std::string& name) { return modeled.contains(name); });
}

SiteTable open_sites(Program& program, const std::set<std::string>& unknown_ints) {
  Symbols symbols;
  inline_functions(program, symbols, [](const Function& f) { return f.suffix == Suffix::Target; });
  refuse_foreign_terms(program);
  Names taken;
  for (const StmtPtr& s : program.prepare_data)
    if (const auto* d = std::get_if<Decl>(&s->node)) taken.insert(d->id);
  for (const OutputVar& v : program.output_vars)
    if (v.block == BlockKind::Parameters) taken.erase(v.name);  // data that are declared once more (lift_data)
  program.log_prob = with_unique_names(program.log_prob, std::move(taken));
  return Opener(program, unknown_ints).run();
}

}  // namespace fermiac::mir
