// Sites to nodes: the statement, its parts, and its left side once more with names in the place of numbers.
#include <string>

#include "interp/exec/lowering/compiler.h"
#include "interp/exec/runs/site_node.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "support/base/check.h"

namespace fermiac::interp {

// ---------------------------------------------------------------- names in the place of numbers

namespace {

/// The names of a variable's numbers, in a value like its own.
struct NamesOfVariable final : ExprNode {
  NamesOfVariable(const Type& t, std::size_t v) : ExprNode(t, false), variable(v) {}
  Value eval(Frame& f) const override {
    FERMIAC_CHECK(f.m.names && variable < f.m.names->size(), "names are made before sites run");
    return (*f.m.names)[variable];
  }
  const Value* peek(Frame& f) const override { return &(*f.m.names)[variable]; }
  std::size_t variable;
};

}  // namespace

/// Of an expression that only moves numbers (Definitions::moved): indexes and sizes keep their values.
ExprPtr Compiler::names_of(const mir::Expr& e) {
  if (const mir::Var* v = mir::as_var(e)) {
    for (std::size_t k = 0; k < marks_->variables.size(); ++k)
      if (marks_->variables[k].name == v->name) return std::make_unique<NamesOfVariable>(e.type, k);
    throw ProgramError(e.span, "variable " + v->name + " has no names");
  }
  if (mir::as_lit(e)) return e.type.is(BaseType::Int) ? make_int_literal(kConstantName) : make_real_literal(kConstantName);
  if (const auto* p = std::get_if<mir::Promotion>(&e.node)) return make_promotion(e.type, p->scalar, names_of(*p->operand));
  if (const auto* i = std::get_if<mir::Indexed>(&e.node)) {
    const mir::Var* base = mir::as_var(*i->base);
    return make_indexed(e.type, base ? base->name : "an expression", names_of(*i->base), indexes(i->indexes));
  }
  if (const auto* t = std::get_if<mir::TupleProjection>(&e.node)) return make_projection(e.type, names_of(*t->tuple), t->slot);
  const mir::FunApp& call = *mir::as_call(e);
  if (const auto* internal = mir::as_internal(call.fn)) {
    std::vector<ExprPtr> items;
    for (const mir::ExprPtr& item : call.args) items.push_back(names_of(*item));
    return internal->fn == mir::Internal::FnMakeArray ? make_array(e.type, std::move(items)) : make_row(e.type, std::move(items));
  }
  const Builtin fn = std::get<mir::StanLib>(call.fn).fn;
  const bool joins = has(fn, Fact::Joins);
  std::vector<ExprPtr> args;
  for (std::size_t k = 0; k < call.args.size(); ++k) args.push_back(k == 0 || joins ? names_of(*call.args[k]) : expr(*call.args[k]));
  return make_builtin_call(builtin(e.span, fn), Dropping(), e.type, std::move(args));
}

// ---------------------------------------------------------------- parts

DensityFunction Compiler::density_function(const mir::Expr& call, const std::string& name, bool required) {
  const mir::FunApp& app = *mir::as_call(call);
  if (std::holds_alternative<mir::StanLib>(app.fn)) {
    const std::optional<Builtin> fn = builtin_named(name);
    if (required) return {&builtin(call.span, fn.value()), nullptr};
    return {fn ? LibraryFunction::find(*fn) : nullptr, nullptr};
  }
  std::vector<Type> types;
  for (const mir::ExprPtr& arg : app.args) types.push_back(arg->type);
  const FunctionCode* found = code_->find_function(name, types);
  if (!found && required) throw ProgramError(call.span, "no definition of function " + name + " takes these arguments");
  return {nullptr, found};
}

SiteParts Compiler::site_parts(std::shared_ptr<const mir::Site> site) {
  SiteParts out;
  if (site->call) {
    const mir::FunApp& app = *mir::as_call(*site->call);
    out.args = exprs(app.args);
    const auto* library = std::get_if<mir::StanLib>(&app.fn);
    const auto* user = std::get_if<mir::UserDefined>(&app.fn);
    out.dropping = dropping(library ? library->propto : user->propto, app.args);
    out.density = density_function(*site->call, library ? std::string(name_of(library->fn)) : user->name, true);
    out.lcdf = density_function(*site->call, site->distribution + "_lcdf", false);
    out.lccdf = density_function(*site->call, site->distribution + "_lccdf", false);
  }
  out.factor = expr_or_null(site->factor);
  out.lower = expr_or_null(site->lower);
  out.upper = expr_or_null(site->upper);
  out.mass_count = expr_or_null(site->mass_count);
  out.term = expr_or_null(site->term);
  if (site->part) {
    out.parts = expr(*site->parts);
    out.part_slot = declare(site->part_variable, BaseType::Int, false).slot;
    out.part = expr(*site->part);
    if (site->part_row) out.part_row = names_of(*site->part_row);
  }
  for (const mir::SiteLeft& left : site->left) out.names.push_back(left.names ? names_of(*left.names) : nullptr);
  for (const mir::SiteRead& read : site->read) out.reads.push_back({names_of(*read.names), read.each, read.direct, read.argument});
  for (const mir::SiteLoop& loop : site->loops) out.loops.push_back(expr(*mir::int_var(loop.variable)));
  out.site = std::move(site);
  return out;
}

StmtPtr Compiler::site_statement(const mir::Stmt& s, std::shared_ptr<const mir::Site> marked) {
  const Scope scope(*this);
  StmtPtr body = statement(s);
  return std::make_unique<SiteNode>(site(s.span), site_parts(std::move(marked)), std::move(body));
}

bool Compiler::has_sites(const mir::Stmt& s) const {
  if (!marks_) return false;
  bool found = false;
  mir::each_substmt(s, [&](const mir::Stmt& inner) { found = found || marks_->marks.contains(&inner); });
  return found;
}

// ---------------------------------------------------------------- densities

Value DensityFunction::apply(Frame& f, std::vector<Value> args, const Dropping& dropping) const {
  if (user) return call_function(*user, f, std::move(args), dropping.activity(f));
  CallContext context = f.context(dropping(f));
  return builtin->apply(context, args);
}

void DensityFunction::add_to_target(Frame& f, std::vector<Value> args, const Dropping& dropping) const {
  if (user) return add_call_to_target(*user, f, std::move(args), dropping.activity(f));
  CallContext context = f.context(dropping(f));
  builtin->apply_to_target(context, args);
}

}  // namespace fermiac::interp
