// Reader of the complete s-expression form. Every function states what it expected; the first mismatch ends the
// reading.
#include <span>
#include <string>

#include "mir/ir/build.h"
#include "mir/ir/call_effects.h"
#include "mir/text/names.h"
#include "mir/text/text.h"
#include "support/base/errors.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::mir {
namespace {

std::string shortened(const Sexp& sexp) {
  std::string text = compact(sexp);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

[[noreturn]] void expected(std::string_view what, const Sexp& found) {
  throw InputError("expected " + std::string(what) + ", found " + shortened(found));
}

const std::string& atom(const Sexp& sexp, std::string_view what) {
  if (sexp.is_list) expected(what, sexp);
  return sexp.atom;
}

const std::vector<Sexp>& list(const Sexp& sexp, std::string_view what) {
  if (!sexp.is_list) expected(what, sexp);
  return sexp.items;
}

/// A constructor with its arguments: `Skip`, `(Return ())`.
struct Constructor {
  const Sexp& whole;
  std::string name;
  std::span<const Sexp> args;

  const Sexp& at(std::size_t i) const {
    if (i >= args.size()) expected("more arguments of " + name, whole);
    return args[i];
  }
};

Constructor constructor(const Sexp& sexp, std::string_view what) {
  if (!sexp.is_list) return {sexp, sexp.atom, {}};
  if (sexp.items.empty() || sexp.items[0].is_list) expected(what, sexp);
  return {sexp, sexp.items[0].atom, std::span(sexp.items).subspan(1)};
}

const Sexp* find_field(std::span<const Sexp> fields, std::string_view name) {
  for (const Sexp& field : fields)
    if (field.is_list && field.items.size() == 2 && !field.items[0].is_list && field.items[0].atom == name)
      return &field.items[1];
  return nullptr;
}

const Sexp& field(std::span<const Sexp> fields, std::string_view name, const Sexp& whole) {
  const Sexp* found = find_field(fields, name);
  if (!found) expected("a record with field " + std::string(name), whole);
  return *found;
}
const Sexp& field(const Sexp& record, std::string_view name) {
  return field(list(record, "a record"), name, record);
}

template <class Fn>
auto each(const Sexp& sexp, std::string_view what, Fn fn) {
  std::vector<decltype(fn(sexp))> out;
  for (const Sexp& item : list(sexp, what)) out.push_back(fn(item));
  return out;
}

template <class T>
T known(std::optional<T> value, std::string_view what, const Sexp& found) {
  if (!value) expected(what, found);
  return *value;
}

int integer(const Sexp& sexp) {
  const std::string& text = atom(sexp, "a number");
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos)
    expected("a number", sexp);
  return static_cast<int>(literal_int(text));
}

// ---------------------------------------------------------------- types

AdLevel read_level(const Sexp& sexp) {
  const Constructor level = constructor(sexp, "an autodiff level");
  AdLevel out;
  if (level.name == "TupleAD")
    out.slots = each(level.at(0), "levels of slots", read_level);
  else if (level.name == "AutoDiffable")
    out.autodiff = true;
  else if (level.name != "DataOnly")
    expected("an autodiff level", sexp);
  return out;
}

Type read_type(const Sexp& sexp);

std::optional<Type> read_result(const Sexp& sexp) {
  const Constructor result = constructor(sexp, "a return type");
  if (result.name == "Void") return std::nullopt;
  if (result.name != "ReturnType") expected("a return type", sexp);
  return read_type(result.at(0));
}

Formal read_formal(const Sexp& sexp) {
  const auto& pair = list(sexp, "a formal argument");
  if (pair.size() != 2) expected("a formal argument", sexp);
  return {read_type(pair[1]), !read_level(pair[0]).any()};
}

Type read_type(const Sexp& sexp) {
  const Constructor type = constructor(sexp, "a type");
  if (type.name == "UArray") {
    const Type element = read_type(type.at(0));
    if (element.array_dims() == ast::kMostDimensions) expected("an array of at most 100 dimensions", type.whole);
    return element.with_array_dims(element.array_dims() + 1);
  }
  if (type.name == "UTuple") return Type::tuple(each(type.at(0), "types of slots", read_type));
  if (type.name == "UFun")
    return Type::function({each(type.at(0), "formals", read_formal), read_result(type.at(1)).value_or(BaseType::Void)});
  return known(text::base_type(type.name), "a type", sexp);
}

ExprPtr read_expr(const Sexp& sexp);
StmtPtr read_stmt(const Sexp& sexp);
std::vector<ExprPtr> read_exprs(const Sexp& sexp) {
  return each(sexp, "a list of expressions", read_expr);
}
std::vector<StmtPtr> read_stmts(const Sexp& sexp) {
  return each(sexp, "a list of statements", read_stmt);
}

MemPattern read_mem(const Sexp& sexp) {
  const std::string& name = atom(sexp, "AoS or SoA");
  if (name != "AoS" && name != "SoA") expected("AoS or SoA", sexp);
  return name == "AoS" ? MemPattern::AoS : MemPattern::SoA;
}

SizedType read_sized(const Sexp& sexp) {
  const Constructor type = constructor(sexp, "a sized type");
  if (type.name == "SArray") {
    SizedType out = read_sized(type.at(0));
    if (out.array_dims.size() == static_cast<std::size_t>(ast::kMostDimensions))
      expected("an array of at most 100 dimensions", sexp);
    out.array_dims.insert(out.array_dims.begin(), read_expr(type.at(1)));
    return out;
  }
  if (!type.name.starts_with("S")) expected("a sized type", sexp);
  SizedType out;
  out.base = known(text::base_type("U" + type.name.substr(1)), "a sized type", sexp);
  if (out.base == BaseType::Tuple) {
    out.slots = each(type.at(0), "sized slots", read_sized);
    return out;
  }
  if (type.args.empty()) return out;
  out.mem = read_mem(type.at(0));
  for (std::size_t i = 1; i < type.args.size(); ++i) out.sizes.push_back(read_expr(type.args[i]));
  return out;
}

// ---------------------------------------------------------------- expressions

Index read_index(const Sexp& sexp) {
  const Constructor index = constructor(sexp, "an index");
  if (index.name == "All") return all_index();
  if (index.name == "Single") return single(read_expr(index.at(0)));
  if (index.name == "Upfrom") return {Index::Kind::Upfrom, read_expr(index.at(0)), nullptr};
  if (index.name == "Between") return between(read_expr(index.at(0)), read_expr(index.at(1)));
  if (index.name == "MultiIndex") return {Index::Kind::Multi, read_expr(index.at(0)), nullptr};
  expected("an index", sexp);
}
std::vector<Index> read_indexes(const Sexp& sexp) {
  return each(sexp, "a list of indexes", read_index);
}

// Upper and Multiplier carry their only bound in second place.
Transform read_transform(const Sexp& sexp) {
  const Constructor written = constructor(sexp, "a transform");
  Transform out;
  out.kind = known(text::transform_kind(written.name), "a transform", sexp);
  const bool second_only = out.kind == TransformKind::Upper || out.kind == TransformKind::Multiplier;
  if (!written.args.empty()) (second_only ? out.second : out.first) = read_expr(written.at(0));
  if (written.args.size() > 1) out.second = read_expr(written.at(1));
  return out;
}

CompilerInternal read_internal(const Sexp& sexp) {
  const Constructor written = constructor(sexp, "an internal function");
  CompilerInternal out;
  if (!parse_internal(written.name, out.fn)) expected("an internal function", sexp);
  if (out.fn == Internal::FnReadParam) {
    out.transform = read_transform(field(written.args, "constrain", sexp));
    out.has_transform = true;
    out.dims = read_exprs(field(written.args, "dims", sexp));
    out.mem = read_mem(field(written.args, "mem_pattern", sexp));
  }
  if (out.fn == Internal::FnWriteParam) {
    const auto& option = list(field(written.args, "unconstrain_opt", sexp), "an optional transform");
    out.has_transform = !option.empty();
    if (out.has_transform) out.transform = read_transform(option[0]);
    out.var = read_expr(field(written.args, "var", sexp));
  }
  if (out.fn == Internal::FnCheck) {
    out.transform = read_transform(field(written.args, "trans", sexp));
    out.has_transform = true;
    out.var_name = atom(field(written.args, "var_name", sexp), "a variable's name");
    out.var = read_expr(field(written.args, "var", sexp));
  }
  return out;
}

struct SuffixFlag {
  Suffix suffix;
  bool propto;
};
SuffixFlag read_suffix(const Sexp& sexp) {
  const Constructor written = constructor(sexp, "a suffix");
  const bool propto = !written.args.empty() && !written.args[0].is_list && written.args[0].atom == "true";
  return {known(text::suffix_kind(written.name), "a suffix", sexp), propto};
}

FunctionKind read_function(const Sexp& sexp) {
  const Constructor kind = constructor(sexp, "a function");
  if (kind.name == "CompilerInternal") return read_internal(kind.at(0));
  const SuffixFlag suffix = read_suffix(kind.at(1));
  const std::string name = atom(kind.at(0), "a function's name");
  if (kind.name == "UserDefined") return UserDefined{.name = name, .suffix = suffix.suffix, .propto = suffix.propto};
  if (kind.name != "StanLib") expected("a function", sexp);
  return StanLib{known(builtin_named(name), "a built-in function", sexp), suffix.suffix, suffix.propto, read_mem(kind.at(2))};
}

Lit read_literal(const Constructor& node) {
  constexpr std::string_view kKinds[] = {"Int", "Real", "Imaginary", "Str"};
  for (std::size_t i = 0; i < 4; ++i)
    if (atom(node.at(0), "a kind of literal") == kKinds[i])
      return {static_cast<Lit::Kind>(i), atom(node.at(1), "a literal's text")};
  expected("a literal", node.whole);
}

decltype(Expr::node) read_pattern(const Sexp& sexp) {
  const Constructor node = constructor(sexp, "an expression");
  const auto sub = [&](std::size_t i) { return read_expr(node.at(i)); };
  if (node.name == "Var") return Var{atom(node.at(0), "a name")};
  if (node.name == "Lit") return read_literal(node);
  if (node.name == "FunApp") return FunApp{read_function(node.at(0)), read_exprs(node.at(1))};
  if (node.name == "TernaryIf") return TernaryIf{sub(0), sub(1), sub(2)};
  if (node.name == "EAnd") return EAnd{sub(0), sub(1)};
  if (node.name == "EOr") return EOr{sub(0), sub(1)};
  if (node.name == "Indexed") return Indexed{sub(0), read_indexes(node.at(1))};
  if (node.name == "Promotion") return Promotion{sub(0), read_type(node.at(1)), read_level(node.at(2))};
  if (node.name == "TupleProjection") return TupleProjection{sub(0), integer(node.at(1))};
  expected("an expression", sexp);
}

ExprPtr read_expr(const Sexp& sexp) {
  const Sexp& meta = field(sexp, "meta");
  return make_expr(read_pattern(field(sexp, "pattern")), read_type(field(meta, "type_")),
                   read_level(field(meta, "adlevel")));
}

// ---------------------------------------------------------------- statements

LValue read_lvalue(const Sexp& sexp) {
  const auto& parts = list(sexp, "a destination");
  if (parts.size() != 2) expected("a destination", sexp);
  const Constructor base = constructor(parts[0], "a destination");
  LValue out;
  if (base.name == "LTupleProjection")
    out = slot_of(read_lvalue(base.at(0)), integer(base.at(1)));
  else if (base.name == "LVariable")
    out = to_variable(atom(base.at(0), "a name"));
  else
    expected("a destination", sexp);
  return with_indexes(std::move(out), read_indexes(parts[1]));
}

std::vector<std::string> read_names(const Sexp& sexp) {
  return each(sexp, "a list of names", [](const Sexp& item) { return atom(item, "a name"); });
}

Decl read_decl(const Constructor& node) {
  Decl out;
  out.ad = read_level(field(node.args, "decl_adtype", node.whole));
  out.id = atom(field(node.args, "decl_id", node.whole), "a name");
  const Constructor type = constructor(field(node.args, "decl_type", node.whole), "a declared type");
  if (type.name == "Sized")
    out.type = read_sized(type.at(0));
  else if (type.name == "Unsized")
    out.type = read_type(type.at(0));
  else
    expected("a declared type", type.whole);
  const Constructor init = constructor(field(node.args, "initialize", node.whole), "an initialiser");
  if (init.name == "Uninit")
    out.init = Decl::Init::Uninit;
  else if (init.name == "Default")
    out.init = Decl::Init::Default;
  else if (init.name == "Assign")
    out.init = Decl::Init::Assign, out.value = read_expr(init.at(0));
  else
    expected("an initialiser", init.whole);
  if (const Sexp* names = find_field(node.args, "decl_annotations")) out.annotations = read_names(*names);
  return out;
}

template <class Fn>
auto option(const Sexp& sexp, Fn fn) -> decltype(fn(sexp)) {
  const auto& items = list(sexp, "an option");
  return items.empty() ? nullptr : fn(items[0]);
}

decltype(Stmt::node) read_stmt_pattern(const Sexp& sexp) {
  const Constructor node = constructor(sexp, "a statement");
  const auto& name = node.name;
  if (name == "Assignment") return Assignment{read_lvalue(node.at(0)), read_type(node.at(1)), read_expr(node.at(2))};
  if (name == "TargetPE") return TargetPE{read_expr(node.at(0))};
  if (name == "JacobianPE") return JacobianPE{read_expr(node.at(0))};
  if (name == "NRFunApp") return NRFunApp{read_function(node.at(0)), read_exprs(node.at(1))};
  if (name == "Break") return Break{};
  if (name == "Continue") return Continue{};
  if (name == "Return") return Return{option(node.at(0), read_expr)};
  if (name == "Skip") return Skip{};
  if (name == "IfElse") return IfElse{read_expr(node.at(0)), read_stmt(node.at(1)), option(node.at(2), read_stmt)};
  if (name == "While") return While{read_expr(node.at(0)), read_stmt(node.at(1))};
  if (name == "For")
    return For{atom(field(node.args, "loopvar", sexp), "a name"), read_expr(field(node.args, "lower", sexp)),
               read_expr(field(node.args, "upper", sexp)), read_stmt(field(node.args, "body", sexp))};
  if (name == "Profile") return Profile{atom(node.at(0), "a name"), read_stmts(node.at(1))};
  if (name == "Block") return Block{read_stmts(node.at(0))};
  if (name == "SList") return SList{read_stmts(node.at(0))};
  if (name == "Decl") return read_decl(node);
  expected("a statement", sexp);
}

StmtPtr read_stmt(const Sexp& sexp) {
  return make_stmt(read_stmt_pattern(field(sexp, "pattern")));
}

// ---------------------------------------------------------------- programs

FunctionArg read_argument(const Sexp& sexp) {
  const auto& parts = list(sexp, "an argument");
  if (parts.size() != 3) expected("an argument", sexp);
  const AdLevel level = read_level(parts[0]);
  return {level, !level.any(), atom(parts[1], "a name"), read_type(parts[2])};
}

Function read_definition(const Sexp& sexp) {
  Function out;
  out.result = read_result(field(sexp, "fdrt"));
  out.name = atom(field(sexp, "fdname"), "a name");
  out.suffix = read_suffix(field(sexp, "fdsuffix")).suffix;
  out.args = each(field(sexp, "fdargs"), "arguments", read_argument);
  out.body = option(field(sexp, "fdbody"), read_stmt);
  if (const Sexp* names = find_field(sexp.items, "fdannotations")) out.annotations = read_names(*names);
  return out;
}

InputVar read_input(const Sexp& sexp) {
  const auto& parts = list(sexp, "an input variable");
  if (parts.size() != 3) expected("an input variable", sexp);
  return {atom(parts[0], "a name"), {}, read_sized(parts[2])};
}

OutputVar read_output(const Sexp& sexp) {
  const auto& parts = list(sexp, "an output variable");
  if (parts.size() != 3) expected("an output variable", sexp);
  OutputVar out;
  out.name = atom(parts[0], "a name");
  out.unconstrained = read_sized(field(parts[2], "out_unconstrained_st"));
  out.constrained = read_sized(field(parts[2], "out_constrained_st"));
  const Sexp& block = field(parts[2], "out_block");
  out.block = known(text::block_kind(atom(block, "a block")), "a block", block);
  const Sexp& transform = field(parts[2], "out_trans");
  const Constructor written = constructor(transform, "a transform");
  if (written.name == "TupleTransformation")
    out.slot_transforms = each(written.at(0), "transforms", read_transform);
  else
    out.transform = read_transform(transform);
  return out;
}

Program read_program(const Sexp& sexp) {
  Program out;
  out.functions = each(field(sexp, "functions_block"), "functions", read_definition);
  out.input_vars = each(field(sexp, "input_vars"), "input variables", read_input);
  out.prepare_data = read_stmts(field(sexp, "prepare_data"));
  out.log_prob = read_stmts(field(sexp, "log_prob"));
  out.reverse_mode_log_prob = read_stmts(field(sexp, "reverse_mode_log_prob"));
  out.generate_quantities = read_stmts(field(sexp, "generate_quantities"));
  out.transform_inits = read_stmts(field(sexp, "transform_inits"));
  out.unconstrain_array = read_stmts(field(sexp, "unconstrain_array"));
  out.output_vars = each(field(sexp, "output_vars"), "output variables", read_output);
  out.name = atom(field(sexp, "prog_name"), "a name");
  out.path = atom(field(sexp, "prog_path"), "a path");
  return out;
}

}  // namespace

ReadResult read_text(std::string_view text) {
  SexpResult sexp = parse_sexp(text);
  if (!sexp.value) return {std::nullopt, sexp.error};
  try {
    Program program = read_program(*sexp.value);
    mark_effects(program);
    return {std::move(program), {}};
  } catch (const InputError& mismatch) {
    return {std::nullopt, mismatch.what()};
  }
}

}  // namespace fermiac::mir
