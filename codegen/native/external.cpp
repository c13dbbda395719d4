#include "codegen/native/external.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "codegen/code.h"

namespace fermiac::codegen::native {

std::string_view abi_header();
std::string_view stan_math_header();
std::string_view calls_header();

namespace {

/// A type of the language over the kind of real `S__`.
constexpr std::pair<BaseType, std::string_view> kTypes[] = {
    {BaseType::Int, "int"},
    {BaseType::Real, "S__"},
    {BaseType::Vector, "Eigen::Matrix<S__, -1, 1>"},
    {BaseType::RowVector, "Eigen::Matrix<S__, 1, -1>"},
    {BaseType::Matrix, "Eigen::Matrix<S__, -1, -1>"},
    {BaseType::Complex, "std::complex<S__>"},
    {BaseType::ComplexVector, "Eigen::Matrix<std::complex<S__>, -1, 1>"},
    {BaseType::ComplexRowVector, "Eigen::Matrix<std::complex<S__>, 1, -1>"},
    {BaseType::ComplexMatrix, "Eigen::Matrix<std::complex<S__>, -1, -1>"},
};

/// Empty where there is none.
std::string_view element_text(BaseType base) {
  const auto* const row = std::ranges::find(kTypes, base, &std::pair<BaseType, std::string_view>::first);
  return row == std::end(kTypes) ? std::string_view() : row->second;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  if (const std::size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

/// Data have no derivatives: `double` in place of `S__`.
std::string type_text(const Type& type, bool data_only) {
  std::string out(element_text(type.base()));
  if (data_only) out = replaced(out, "S__", "double");
  if (type.base() == BaseType::Tuple) {
    for (const Type& slot : type.slots()) out += (out.empty() ? "std::tuple<" : ", ") + type_text(slot, data_only);
    out += ">";
  }
  for (int i = 0; i < type.array_dims(); ++i) out = "std::vector<" + out + ">";
  return out;
}

/// Whether `holds` is so of the type, or of a slot in it.
bool any_leaf(const Type& type, bool (*holds)(const Type&)) {
  if (!type.is(BaseType::Tuple)) return holds(type);
  return std::ranges::any_of(type.slots(), [&](const Type& slot) { return any_leaf(slot, holds); });
}
bool is_matrix(const Type& type) {
  return any_leaf(type, [](const Type& leaf) { return element_text(leaf.base()).starts_with("Eigen"); });
}
bool is_unknown(const Type& type) {
  return any_leaf(type, [](const Type& leaf) { return element_text(leaf.base()).empty(); });
}

/// By the ending of a function's name: whether its template arguments begin with a flag, what stands behind its arguments, and that in words.
struct Convention {
  Suffix suffix;
  bool flag;
  std::string_view others, words;
};
constexpr std::string_view kTarget = "S__, stan::math::accumulator<S__>", kTargetWords = ", a T_lp__&, a T_lp_accum__&";
constexpr Convention kConventions[] = {
    {Suffix::Lpdf, true, "", ""},
    {Suffix::Lpmf, true, "", ""},
    {Suffix::Rng, false, "stan::rng_t", ", a stan::rng_t&"},
    {Suffix::Target, true, kTarget, kTargetWords},
    {Suffix::Jacobian, true, kTarget, kTargetWords},
};

Convention convention_of(const mir::Function& f) {
  const auto* const row = std::ranges::find(kConventions, f.suffix, &Convention::suffix);
  return row == std::end(kConventions) ? Convention{f.suffix, false, "", ""} : *row;
}

bool same_arguments(const mir::Function& a, const mir::Function& b) {
  return std::ranges::equal(a.args, b.args, {}, &mir::FunctionArg::type, &mir::FunctionArg::type);
}

std::vector<const mir::Function*> externals(const mir::Program& program) {
  std::vector<const mir::Function*> out;
  for (const std::size_t i : external_functions(program)) out.push_back(&program.functions[i]);
  return out;
}

/// Whether one has vectors or matrices.
bool external_matrices(const mir::Program& program) {
  return std::ranges::any_of(externals(program), [](const mir::Function* f) {
    return (f->result && is_matrix(*f->result)) || std::ranges::any_of(f->args, is_matrix, &mir::FunctionArg::type);
  });
}

std::string problem_of(const mir::Function& f) {
  std::vector<Type> types;
  if (f.result) types.push_back(*f.result);
  for (const mir::FunctionArg& arg : f.args) types.push_back(arg.type);
  for (const Type& type : types)
    if (is_unknown(type)) return "has '" + type.str() + "' among its types";
  return {};
}

/// `make_odds(real)`.
std::string signature(const mir::Function& f) {
  std::string out = f.name + "(";
  for (std::size_t i = 0; i < f.args.size(); ++i)
    out += std::string(i > 0 ? ", " : "") + (f.args[i].data_only ? "data " : "") + f.args[i].type.str();
  return out + ")";
}

std::string class_name(std::size_t index) { return fmt::format("x{}__", index); }

void define_class(Lines& out, const mir::Program& program, std::size_t index) {
  const mir::Function& f = program.functions[index];
  std::string operands;
  for (const mir::FunctionArg& arg : f.args) operands += (operands.empty() ? "" : ", ") + type_text(arg.type, arg.data_only);
  const Convention convention = convention_of(f);
  const std::string call = f.name + (convention.flag ? "<P__>" : "") + "(a__...)";
  out.open(Code("struct " + class_name(index)));
  out << Code("template <class S__> using Result__ = " + (f.result ? type_text(*f.result, false) : "void") + ";")
      << Code("template <class S__> using Operands__ = std::tuple<" + operands + ">;")
      << Code(fmt::format("template <class S__> using Others__ = std::tuple<{}>;", convention.others))
      << Code("template <bool P__, class... A__> static auto call__(A__&&... a__) -> decltype(" + call + ") { return " + call + "; }");
  out.close("};");
  const std::string missing = fmt::format("the header has no function '{}' that takes these arguments{} and a std::ostream*, in namespace '{}' or in none",
                                          signature(f), convention.words, model_namespace(program));
  out << Code(fmt::format("static_assert(fermiac::external::kTakes<{}, double>, {});", class_name(index), string_literal(missing)));
}

}  // namespace

bool is_external(const mir::Program& program, const mir::Function& f) {
  return !f.body && std::ranges::none_of(program.functions, [&](const mir::Function& other) {
    return other.body && other.name == f.name && same_arguments(other, f);
  });
}

std::vector<std::size_t> external_functions(const mir::Program& program) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < program.functions.size(); ++i)
    if (is_external(program, program.functions[i])) out.push_back(i);
  return out;
}

Status check_external(const mir::Program& program) {
  for (const mir::Function* f : externals(program))
    if (const std::string problem = problem_of(*f); !problem.empty())
      return Status::failed(fmt::format("'{}' {}, which a function of a user's header cannot here", signature(*f), problem));
  return {};
}

std::string model_namespace(const mir::Program& program) { return program.name + "_namespace"; }

std::string before_header(const mir::Program& program) {
  std::string out(abi_header());
  if (external_matrices(program)) out += "#define FERMIAC_MATRICES\n";
  out += stan_math_header();
  return out + "namespace " + model_namespace(program) + " {\nusing namespace stan::math;\n}\n";
}

std::string after_header(const mir::Program& program, const std::string& version, const std::string& sum) {
  const std::vector<std::size_t> all = external_functions(program);
  Lines out;
  out << Code("// Code generated by " + comment_text(version)) << Code("namespace " + model_namespace(program) + " {");
  for (const std::size_t i : all) define_class(out, program, i);
  out << "}" << "" << "namespace {";
  Code rows("const fermiac::native::ExternalFunction external__[] = {");
  for (const std::size_t i : all) {
    if (i != all.front()) (rows << ",").br();
    const std::string name = model_namespace(program) + "::" + class_name(i);
    rows << fmt::format("{{{0}, fermiac::external::value<{1}>, fermiac::external::pull_back_of<{1}>()}}", i, name);
  }
  out << (rows << "};") << "}  // namespace" << "";
  out << (Code("extern \"C\" __attribute__((visibility(\"default\"))) const fermiac::native::Module fermiac_native_module = {")
          << "fermiac::native::kAbi, " << string_literal(sum) << ", external__, " << all.size() << "};");
  return std::string(calls_header()) + std::move(out).take();
}

}  // namespace fermiac::codegen::native
