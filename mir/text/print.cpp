// The complete s-expression form.
#include <string>

#include "mir/ir/build.h"
#include "mir/text/names.h"
#include "mir/text/text.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

using text::field;
using text::internal_sexp;
using text::mem_name;
using text::suffix_name;
using text::transform_sexp;

Sexp atom(std::string_view name) {
  return Sexp::of(name);
}
template <class... Items>
Sexp node(std::string_view name, Items... items) {
  return Sexp::list_of(atom(name), std::move(items)...);
}
template <class Range, class Fn>
Sexp each(const Range& range, Fn fn) {
  std::vector<Sexp> out;
  for (const auto& item : range) out.push_back(fn(item));
  return Sexp::list(std::move(out));
}
const Sexp kPlace = Sexp::of("<opaque>");

Sexp expr_sexp(const Expr& expr);
Sexp stmt_sexp(const Stmt& stmt);
Sexp ref(const ExprPtr& expr) {
  return expr_sexp(*expr);
}
Sexp exprs(const std::vector<ExprPtr>& list) {
  return each(list, ref);
}
Sexp stmts(const std::vector<StmtPtr>& list) {
  return each(list, [](const StmtPtr& stmt) { return stmt_sexp(*stmt); });
}

// ---------------------------------------------------------------- types

Sexp level_sexp(const AdLevel& level) {
  if (!level.slots.empty()) return node("TupleAD", each(level.slots, level_sexp));
  return atom(level.autodiff ? "AutoDiffable" : "DataOnly");
}

Sexp type_sexp(const Type& type);

Sexp result_sexp(const std::optional<Type>& result) {
  if (!result || result->base() == BaseType::Void) return atom("Void");
  return node("ReturnType", type_sexp(*result));
}

Sexp function_type_sexp(const FunctionType& function) {
  Sexp formals = each(function.formals, [](const Formal& formal) {
    return Sexp::list_of(atom(formal.data_only ? "DataOnly" : "AutoDiffable"), type_sexp(formal.type));
  });
  return node("UFun", std::move(formals), result_sexp(function.result));
}

Sexp type_sexp(const Type& type) {
  if (type.is_array()) return node("UArray", type_sexp(type.element()));
  if (type.base() == BaseType::Tuple) return node("UTuple", each(type.slots(), type_sexp));
  if (type.base() == BaseType::Function) return function_type_sexp(type.signature());
  return atom(text::base_name(type.base()));
}

Sexp sized_sexp(const SizedType& type, std::size_t dim = 0) {
  if (dim < type.array_dims.size()) return node("SArray", sized_sexp(type, dim + 1), ref(type.array_dims[dim]));
  if (type.base == BaseType::Tuple)
    return node("STuple", each(type.slots, [](const SizedType& slot) { return sized_sexp(slot); }));
  const std::string name = "S" + std::string(text::base_name(type.base).substr(1));
  if (type.sizes.empty()) return atom(name);
  std::vector<Sexp> items = {atom(name), atom(mem_name(type.mem))};
  for (const ExprPtr& size : type.sizes) items.push_back(ref(size));
  return Sexp::list(std::move(items));
}

// ---------------------------------------------------------------- expressions

Sexp index_sexp(const Index& index) {
  switch (index.kind) {
    case Index::Kind::All:
      return atom("All");
    case Index::Kind::Single:
      return node("Single", ref(index.low));
    case Index::Kind::Upfrom:
      return node("Upfrom", ref(index.low));
    case Index::Kind::Between:
      return node("Between", ref(index.low), ref(index.high));
    case Index::Kind::Multi:
      return node("MultiIndex", ref(index.low));
  }
  return atom("All");
}

Sexp suffix_sexp(Suffix suffix, bool propto) {
  if (suffix == Suffix::Lpdf || suffix == Suffix::Lpmf)
    return node(suffix_name(suffix), atom(propto ? "true" : "false"));
  return atom(suffix_name(suffix));
}

Sexp function_sexp(const FunctionKind& fn) {
  return match(
      fn,
      [](const StanLib& f) {
        return node("StanLib", atom(name_of(f.fn)), suffix_sexp(f.suffix, f.propto), atom(mem_name(f.mem)));
      },
      [](const UserDefined& f) { return node("UserDefined", atom(f.name), suffix_sexp(f.suffix, f.propto)); },
      [](const CompilerInternal& f) { return node("CompilerInternal", internal_sexp(f, expr_sexp)); });
}

constexpr std::string_view kLitKinds[] = {"Int", "Real", "Imaginary", "Str"};

Sexp pattern_sexp(const Expr& expr) {
  return match(
      expr.node, [](const Var& v) { return node("Var", atom(v.name)); },
      [](const Lit& l) { return node("Lit", atom(kLitKinds[static_cast<std::size_t>(l.kind)]), atom(l.text)); },
      [](const FunApp& f) { return node("FunApp", function_sexp(f.fn), exprs(f.args)); },
      [](const TernaryIf& t) { return node("TernaryIf", ref(t.test), ref(t.yes), ref(t.no)); },
      [](const EAnd& e) { return node("EAnd", ref(e.left), ref(e.right)); },
      [](const EOr& e) { return node("EOr", ref(e.left), ref(e.right)); },
      [](const Indexed& x) { return node("Indexed", ref(x.base), each(x.indexes, index_sexp)); },
      [](const Promotion& p) { return node("Promotion", ref(p.operand), type_sexp(p.scalar), level_sexp(p.ad)); },
      [](const TupleProjection& p) { return node("TupleProjection", ref(p.tuple), atom(std::to_string(p.slot))); });
}

Sexp expr_sexp(const Expr& expr) {
  Sexp meta =
      Sexp::list_of(field("type_", type_sexp(expr.type)), field("loc", kPlace), field("adlevel", level_sexp(expr.ad)));
  return Sexp::list_of(field("pattern", pattern_sexp(expr)), field("meta", std::move(meta)));
}

// ---------------------------------------------------------------- statements

Sexp lvalue_sexp(const LValue& left) {
  Sexp base = left.tuple ? node("LTupleProjection", lvalue_sexp(*left.tuple), atom(std::to_string(left.slot)))
                         : node("LVariable", atom(left.variable));
  return Sexp::list_of(std::move(base), each(left.indexes, index_sexp));
}

Sexp init_sexp(const Decl& decl) {
  switch (decl.init) {
    case Decl::Init::Uninit:
      return atom("Uninit");
    case Decl::Init::Default:
      return atom("Default");
    case Decl::Init::Assign:
      return node("Assign", ref(decl.value));
  }
  return atom("Default");
}

Sexp names_sexp(const std::vector<std::string>& names) {
  return each(names, [](const std::string& name) { return atom(name); });
}

Sexp decl_sexp(const Decl& decl) {
  const auto* sized = std::get_if<SizedType>(&decl.type);
  Sexp type = sized ? node("Sized", sized_sexp(*sized)) : node("Unsized", type_sexp(std::get<Type>(decl.type)));
  Sexp out = node("Decl", field("decl_adtype", level_sexp(decl.ad)), field("decl_id", atom(decl.id)),
                  field("decl_type", std::move(type)), field("initialize", init_sexp(decl)));
  if (!decl.annotations.empty()) out.items.push_back(field("decl_annotations", names_sexp(decl.annotations)));
  return out;
}

Sexp stmt_pattern(const Stmt& stmt) {
  const auto option = [](const auto& p, auto fn) { return p ? Sexp::list_of(fn(*p)) : Sexp::list({}); };
  return match(
      stmt.node,
      [](const Assignment& a) { return node("Assignment", lvalue_sexp(a.left), type_sexp(a.type), ref(a.right)); },
      [](const TargetPE& t) { return node("TargetPE", ref(t.value)); },
      [](const JacobianPE& j) { return node("JacobianPE", ref(j.value)); },
      [](const NRFunApp& f) { return node("NRFunApp", function_sexp(f.fn), exprs(f.args)); },
      [](const Break&) { return atom("Break"); }, [](const Continue&) { return atom("Continue"); },
      [&](const Return& r) { return node("Return", option(r.value, expr_sexp)); },
      [](const Skip&) { return atom("Skip"); },
      [&](const IfElse& i) { return node("IfElse", ref(i.test), stmt_sexp(*i.yes), option(i.no, stmt_sexp)); },
      [](const While& w) { return node("While", ref(w.test), stmt_sexp(*w.body)); },
      [](const For& f) {
        return node("For", field("loopvar", atom(f.variable)), field("lower", ref(f.lower)),
                    field("upper", ref(f.upper)), field("body", stmt_sexp(*f.body)));
      },
      [](const Profile& p) { return node("Profile", atom(p.name), stmts(p.body)); },
      [](const Block& b) { return node("Block", stmts(b.body)); },
      [](const SList& l) { return node("SList", stmts(l.body)); }, [](const Decl& d) { return decl_sexp(d); });
}

Sexp stmt_sexp(const Stmt& stmt) {
  return Sexp::list_of(field("pattern", stmt_pattern(stmt)), field("meta", kPlace));
}

// ---------------------------------------------------------------- programs

Sexp definition_sexp(const Function& function) {
  Sexp args = each(function.args, [](const FunctionArg& arg) {
    return Sexp::list_of(level_sexp(arg.ad), atom(arg.name), type_sexp(arg.type));
  });
  Sexp body = function.body ? Sexp::list_of(stmt_sexp(*function.body)) : Sexp::list({});
  const bool density = function.suffix == Suffix::Lpdf || function.suffix == Suffix::Lpmf;
  Sexp suffix = density ? node(suffix_name(function.suffix), Sexp::list({})) : atom(suffix_name(function.suffix));
  Sexp out = Sexp::list_of(field("fdrt", result_sexp(function.result)), field("fdname", atom(function.name)),
                           field("fdsuffix", std::move(suffix)), field("fdargs", std::move(args)),
                           field("fdbody", std::move(body)), field("fdloc", kPlace));
  if (!function.annotations.empty()) out.items.push_back(field("fdannotations", names_sexp(function.annotations)));
  return out;
}

Sexp output_transform(const OutputVar& output) {
  const auto one = [](const Transform& transform) { return transform_sexp(transform, expr_sexp); };
  if (output.constrained.base != BaseType::Tuple) return one(output.transform);
  return node("TupleTransformation", each(output.slot_transforms, one));
}

Sexp output_sexp(const OutputVar& output) {
  return Sexp::list_of(atom(output.name), kPlace,
                       Sexp::list_of(field("out_unconstrained_st", sized_sexp(output.unconstrained)),
                                     field("out_constrained_st", sized_sexp(output.constrained)),
                                     field("out_block", atom(text::block_name(output.block))),
                                     field("out_trans", output_transform(output))));
}

Sexp program_sexp(const Program& program) {
  Sexp inputs = each(program.input_vars, [](const InputVar& input) {
    return Sexp::list_of(atom(input.name), kPlace, sized_sexp(input.type));
  });
  return Sexp::list_of(field("functions_block", each(program.functions, definition_sexp)),
                       field("input_vars", std::move(inputs)), field("prepare_data", stmts(program.prepare_data)),
                       field("log_prob", stmts(program.log_prob)),
                       field("reverse_mode_log_prob", stmts(program.reverse_mode_log_prob)),
                       field("generate_quantities", stmts(program.generate_quantities)),
                       field("transform_inits", stmts(program.transform_inits)),
                       field("unconstrain_array", stmts(program.unconstrain_array)),
                       field("output_vars", each(program.output_vars, output_sexp)),
                       field("prog_name", atom(program.name)), field("prog_path", atom(program.path)));
}

}  // namespace

std::string to_text(const Program& program) {
  return readable(program_sexp(program));
}
std::string to_text(const Stmt& stmt) {
  return readable(stmt_sexp(stmt));
}
std::string to_text(const Expr& expr) {
  return readable(expr_sexp(expr));
}

}  // namespace fermiac::mir
