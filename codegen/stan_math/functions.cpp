// Functions of the program as templates over the types of their arguments, and as function objects.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "codegen/names.h"
#include "codegen/stan_math/program_parts.h"
#include "codegen/stan_math/signature.h"
#include "codegen/stan_math/stan_math.h"
#include "codegen/stan_math/types.h"
#include "mir/ir/build.h"

namespace fermiac::codegen::stan_math {
namespace {

using mir::Function;
using Texts = std::vector<std::string>;

Signature signature_of(const Function& f, const Unit& unit) {
  return Signature(f, f.body && f.suffix == Suffix::Target && unit.reads_target(f));
}

std::string parameter(const Signature::Parameter& p, bool to_ref) {
  return "const " + p.type + "& " + p.name + (to_ref && p.to_ref ? "_arg__" : "");
}

Code joined(std::string_view before, const Texts& items, std::string_view after) {
  Code out(before);
  out.open();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) (out << ",").br();
    out << items[i];
  }
  return out.close() << after;
}

Code head(const Function& f, const Signature& s) {
  Texts all;
  for (const Signature::Parameter& p : s.parameters()) all.push_back(parameter(p, true));
  for (std::string& extra : s.extra_parameters()) all.push_back(std::move(extra));
  return joined(s.result() + " " + function_id(f.name) + "(", all, ")");
}

/// A template, or a function that may stand in several translation units.
void template_line(Lines& out, const std::string& text) {
  out << Code(text.empty() ? "inline" : text);
}

/// Names that every body has, used or not.
void frame(Lines& out, const Function& f, const Signature& s) {
  out << Code("using local_scalar_t__ = " + s.scalar() + ";") << "int current_statement__ = 0;";
  if (s.flag().empty()) out << "[[maybe_unused]] static constexpr bool propto__ = true;";
  out << Code("[[maybe_unused]] local_scalar_t__ DUMMY_VAR__(" + std::string(kNan) + ");");
  out << "(void)pstream__;";
  if (f.suffix == Suffix::Rng) out << "(void)base_rng__;";
  if (f.suffix == Suffix::Target || f.suffix == Suffix::Jacobian)
    out << "(void)lp__;"
        << "(void)lp_accum__;";
  for (const Signature::Parameter& p : s.parameters()) {
    if (p.to_ref) out << Code("const auto& " + p.name + " = stan::math::to_ref(" + p.name + "_arg__);");
    out << Code("(void)" + p.name + ";");
  }
}

bool ends_with_return(const mir::Stmt& s) {
  if (std::holds_alternative<mir::Return>(s.node)) return true;
  const auto* block = std::get_if<mir::Block>(&s.node);
  const auto* branch = std::get_if<mir::IfElse>(&s.node);
  if (branch) return branch->no && ends_with_return(*branch->yes) && ends_with_return(*branch->no);
  return block && !block->body.empty() && ends_with_return(*block->body.back());
}

void define(Lines& out, const Function& f, Unit& unit) {
  const Signature s = signature_of(f, unit);
  template_line(out, s.head(false));
  out.open(head(f, s));
  frame(out, f, s);
  out.open("try");
  StanMath emitter(unit, Part::Function, &f);
  if (const auto* block = std::get_if<mir::Block>(&f.body->node))
    emitter.body(out, block->body);
  else
    emitter.stmt(out, *f.body);
  // The end of a loop, say: there is no value, and to go on would be undefined.
  if (f.result && !ends_with_return(*f.body))
    out << Code("throw std::domain_error(" + string_literal(f.name + ": the end was reached without a return") + ");");
  out.close("} catch (const std::exception& e) {").indent(1);
  out << "stan::lang::rethrow_located(e, locations_array__[current_statement__]);";
  if (f.result) out << "throw;  // never: the line above does";
  out.close().close();
}

// ---------------------------------------------------------------- function objects

Texts call_arguments(const Functor& functor, const Signature& s) {
  Texts out;
  for (std::size_t i = 0; i < s.parameters().size(); ++i) {
    const bool position = functor.form == Functor::Form::Slice && (i == 1 || i == 2);
    const std::string& name = s.parameters()[i].name;
    // The library counts from 0, without signs.
    out.push_back(position ? "static_cast<int>(" + name + ") + 1" : name);
  }
  return out;
}

/// Parameters with the stream where the form has it.
Texts parameters(const Functor& functor, const Signature& s) {
  Texts out;
  for (const Signature::Parameter& p : s.parameters()) out.push_back(parameter(p, false));
  const std::size_t before = functor.form == Functor::Form::Plain   ? out.size()
                             : functor.form == Functor::Form::Slice ? 3
                                                                    : functor.leading;
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(std::min(before, out.size())), "std::ostream* pstream__");
  return out;
}

void call_operator(Lines& out, const Functor& functor, const Function& f, const Unit& unit) {
  const Signature s = signature_of(f, unit);
  const bool density = s.flag() == "propto__";
  const bool own_flag = functor.form == Functor::Form::Slice && density;  // the object's, not the operator's
  if (const std::string text = s.head(true, false); !text.empty()) out << Code(text);
  out.open(joined(s.result() + " operator()(", parameters(functor, s), ") const"));
  Texts args = call_arguments(functor, s);
  args.emplace_back("pstream__");
  const std::string flag = own_flag ? "<propto__>" : density ? "<false>" : "";
  const std::string callee = f.body ? unit.name_space() + "::" + function_id(f.name) + flag : function_id(f.name);
  out << joined("return " + callee + "(", args, ");");
  out.close();
}

/// A function of the library: of as many arguments as it is called with.
void built_in_operator(Lines& out, const Functor& functor, std::size_t count) {
  Texts types, params, args;
  for (std::size_t i = 0; i < count; ++i) {
    types.push_back(fmt::format("typename T{}__", i));
    params.push_back(fmt::format("const T{0}__& x{0}__", i));
    args.push_back(fmt::format("x{}__", i));
  }
  const std::size_t before = functor.form == Functor::Form::Variadic ? std::min(functor.leading, count) : count;
  params.insert(params.begin() + static_cast<std::ptrdiff_t>(before), "std::ostream*");
  out << joined("template <", types, ">");
  out.open(joined("auto operator()(", params, ") const"));
  out << joined("return stan::math::eval(stan::math::" + functor.function + "(", args, "));");
  out.close();
}

// ---------------------------------------------------------------- wrappers

std::string plain_type(const Type& type) {
  return type_text(type, {});
}

void wrapper(Lines& out, const Function& f, const Unit& unit) {
  const std::string id = function_id(f.name);
  Texts params, args;
  for (const mir::FunctionArg& a : f.args) {
    params.push_back("const " + plain_type(a.type) + "& " + variable_id(a.name));
    args.push_back(variable_id(a.name));
  }
  std::string flag;
  if (f.suffix == Suffix::Rng) params.emplace_back("stan::rng_t& base_rng__"), args.emplace_back("base_rng__");
  if (f.suffix == Suffix::Target || f.suffix == Suffix::Jacobian) {
    params.insert(params.end(), {"double& lp__", "stan::math::accumulator<double>& lp_accum__"});
    args.insert(args.end(), {"lp__", "lp_accum__"});
  }
  if (f.suffix == Suffix::Jacobian) flag = "<true>";
  if (f.suffix == Suffix::Lpdf || f.suffix == Suffix::Lpmf || f.suffix == Suffix::Target) flag = "<false>";
  params.emplace_back("std::ostream* pstream__ = nullptr");
  args.emplace_back("pstream__");
  // One line each: other tools read them by pattern.
  out.text(fmt::format("// [[stan::function]]\n{} {}({}) {{\n  {}{}::{}{}({});\n}}\n",
                       f.result ? plain_type(*f.result) : "void", id, fmt::join(params, ", "),
                       f.result ? "return " : "", unit.name_space(), id, flag, fmt::join(args, ", ")));
}

}  // namespace

void declare_functions(Lines& out, const Unit& unit) {
  for (const Function& f : unit.program().functions) {
    if (!f.body) continue;
    const Signature s = signature_of(f, unit);
    template_line(out, s.head(true));
    out << (head(f, s) << ";");
  }
}

void define_functions(Lines& out, Unit& unit) {
  for (const Function& f : unit.program().functions) {
    if (!f.body) continue;
    out << "";
    define(out, f, unit);
  }
}

void define_functors(Lines& out, const Unit& unit) {
  for (const auto& [name, functor] : unit.functors()) {
    out << "";
    const bool flagged = functor.form == Functor::Form::Slice &&
                         (functor.function.ends_with("_lpdf") || functor.function.ends_with("_lpmf"));
    if (flagged) out << "template <bool propto__>";
    out.open("struct " + name);
    if (!unit.declares(functor.function))
      for (const std::size_t count : functor.arguments) built_in_operator(out, functor, count);
    for (const Function& f : unit.program().functions)
      if (f.name == functor.function) call_operator(out, functor, f, unit);
    out.close("};");
  }
}

void define_wrappers(Lines& out, const Unit& unit) {
  for (const Function& f : unit.program().functions)
    if (f.body) wrapper(out, f, unit);
}

}  // namespace fermiac::codegen::stan_math
