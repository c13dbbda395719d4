// Expressions: an int or a real is a C++ number, everything else a Value.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "codegen/names.h"
#include "codegen/native/native.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::codegen::native {

using namespace mir;  // NOLINT: the walk is over its nodes

std::string type_text(const Type& type) {
  if (type.is(BaseType::Int)) return "int";
  return type.is(BaseType::Real) ? "R__" : "n__::Value";
}

namespace {

/// What stands before and behind a value that is a number, to have the number.
struct Around {
  std::string_view before, behind;
};
Around number_of(const Type& type) {
  if (type.is(BaseType::Int)) return {"", ".as_int()"};
  return type.is(BaseType::Real) ? Around{"n__::real<R__>(c__, ", ")"} : Around{};
}

/// Whether the moment of its evaluation can be seen.
bool has_effects(const Expr& e) {
  return has_rng(e) || has_side_effect(e);
}

/// What messages call the container that is indexed.
std::string shown_name(const Expr& e) {
  if (const auto* v = std::get_if<Var>(&e.node)) return v->name;
  if (const auto* p = std::get_if<TupleProjection>(&e.node)) return shown_name(*p->tuple) + "." + std::to_string(p->slot);
  if (const auto* i = std::get_if<Indexed>(&e.node)) return shown_name(*i->base);
  return "an expression";
}

bool all_numbers(const std::vector<mir::ExprPtr>& args) {
  return std::ranges::all_of(args, [](const mir::ExprPtr& a) { return is_number(a->type); });
}
bool all_ints(const std::vector<mir::ExprPtr>& args) {
  return std::ranges::all_of(args, [](const mir::ExprPtr& a) { return a->type.is(BaseType::Int); });
}

}  // namespace

bool is_total(const Expr& e) {
  if (std::holds_alternative<Var>(e.node) || std::holds_alternative<Lit>(e.node)) return true;
  if (!is_number(e.type)) return false;
  if (const auto* p = std::get_if<Promotion>(&e.node)) return is_total(*p->operand);
  const FunApp* call = as_call(e);
  const auto* f = call ? std::get_if<StanLib>(&call->fn) : nullptr;
  static constexpr std::string_view kTotal[] = {"Plus__", "Minus__", "Times__", "PMinus__"};
  const bool divides = f && f->name == "Divide__" && e.type.is(BaseType::Real);
  return f && (divides || std::ranges::find(kTotal, f->name) != std::end(kTotal)) &&
         std::ranges::all_of(call->args, [](const mir::ExprPtr& a) { return is_total(*a); });
}

// ---------------------------------------------------------------- variables and literals

void Native::variable(Code& out, const Expr&, const Var& v) {
  out << variable_id(v.name);
}

/// A literal of Stan that is too large for a double is infinite.
std::string native_literal(double x) { return std::isinf(x) ? "__builtin_inf()" : real_literal(x); }

void Native::literal(Code& out, const Lit& l) {
  switch (l.kind) {
    case Lit::Kind::Str:
      out << string_literal(l.text);
      return;
    case Lit::Kind::Imaginary:
      out << "n__::imaginary(" << native_literal(literal_real(l.text)) << ")";
      return;
    case Lit::Kind::Int:
      if (literal_int(l.text) > 2147483647LL) throw Unsupported{};
      out << l.text;
      return;
    case Lit::Kind::Real:
      out << native_literal(literal_real(l.text));
      return;
  }
}

// ---------------------------------------------------------------- calls

void Native::braced(Code& out, const std::string& head, const Args& args) {
  list(out << head << "{", args);
  out << "}";
}

namespace {

struct Operator {
  std::string_view name, function;
  std::string_view emitted;    // a function of the header, or of a comparison the object that compares
  std::string_view sign = {};  // of a comparison
  bool reals = true;
};
constexpr Operator kOperators[] = {
    {"Plus__", "add", "add"},
    {"Minus__", "subtract", "subtract"},
    {"Times__", "multiply", "multiply"},
    {"EltTimes__", "elt_multiply", "multiply"},
    {"Divide__", "divide", "divide"},
    {"EltDivide__", "elt_divide", "divide"},
    {"IntDivide__", "int_divide", "divide", {}, false},
    {"Modulo__", "modulus", "modulus", {}, false},
    {"Less__", "logical_lt", "Less", "<"},
    {"Leq__", "logical_lte", "LessOrEqual", "<="},
    {"Greater__", "logical_gt", "Greater", ">"},
    {"Geq__", "logical_gte", "GreaterOrEqual", ">="},
    {"Equals__", "logical_eq", "Equal", "=="},
    {"NEquals__", "logical_neq", "NotEqual", "!="},
};

const Operator* find_operator(std::string_view name) {
  const auto* const it = std::ranges::find_if(kOperators, [&](const Operator& o) { return name == o.name || name == o.function; });
  return it == std::end(kOperators) ? nullptr : it;
}

bool is_power(std::string_view name) {
  return name == "Pow__" || name == "EltPow__" || name == "pow";
}

/// Of a literal, converted or not.
std::optional<double> literal_value(const Expr& e) {
  if (const auto* p = std::get_if<Promotion>(&e.node)) return literal_value(*p->operand);
  const Lit* l = as_lit(e);
  if (!l || l->kind == Lit::Kind::Str || l->kind == Lit::Kind::Imaginary) return std::nullopt;
  return literal_real(l->text);
}

bool is_negation(std::string_view name) {
  return name == "PMinus__" || name == "minus";
}

}  // namespace

namespace {

/// Another text as long as this lives.
class Scoped {
 public:
  Scoped(std::string& text, const char* other) : text_(text), before_(text) { text_ = other; }
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;
  ~Scoped() { text_ = before_; }

 private:
  std::string& text_;
  std::string before_;
};

}  // namespace

/// Operators of numbers; the same ones as the interpreter's nodes have.
bool Native::arithmetic(Code& out, const std::string& name, const Args& args) {
  if (!all_numbers(args)) return false;
  const bool ints = all_ints(args);
  const std::string kind = ints ? "int" : real_;
  if (args.size() == 1) {
    if (name == "PPlus__" || name == "plus") return expr(out, *args[0]), true;
    if (ints && (name == "PNot__" || name == "logical_negation")) {
      expr(out << "(", *args[0]);
      return out << " == 0)", true;
    }
    if (!is_negation(name)) return false;
    expr(out << "n__::minus<" << kind << ">(c__, ", *args[0]);
    return out << ")", true;
  }
  if (args.size() != 2) return false;
  if (is_power(name) && literal_value(*args[1]) == 2.0) {
    expr(out << "n__::square<" << real_ << ">(c__, ", *args[0]);
    return out << ")", true;
  }
  const Operator* op = find_operator(name);
  if (!op) return false;
  if (!ints && !op->reals) return false;
  const std::string name_of(op->emitted);
  if (op->sign.empty()) return braced(out, "n__::" + name_of + "<" + kind + ">(c__, ", args), out << ")", true;
  if (ints && !has_effects(*args[0]) && !has_effects(*args[1])) return infix(out, *args[0], op->sign, *args[1]), true;
  const Scoped seen(real_, kSeen);
  braced(out, "n__::compare<" + (ints ? kind : real_) + ">(c__, ", args);
  out << ", n__::" << name_of << "())";
  return true;
}

namespace {

/// Those of the operands in `mask`: `0x5u | (c__.active & 0x1u ? 0x2u : 0)`.
std::string active_text(const mir::ActiveOperands& operands, std::uint64_t mask) {
  std::string out = fmt::format("0x{:x}u", operands.always() & mask);
  for (const auto& [operand, arguments] : operands.sometimes())
    out += fmt::format(" | (c__.active & 0x{:x}u ? 0x{:x}u : 0)", arguments, operand & mask);
  return out;
}

}  // namespace

std::string Native::active(const Args& args) const { return active_text({args, scope_}, ~std::uint64_t{0}); }

std::string Native::dropped(bool propto, const Args& args) const {
  return propto ? "n__::kDrops | " + active_text({args, scope_}, 0x7fffffffu) : "0";
}

void Native::library_call(Code& out, const Expr& e, const StanLib& f, const Args& args) {
  if (f.name == "target" && args.empty()) {
    out << "n__::target<R__>(c__)";
    return;
  }
  for (const mir::ExprPtr& a : args)
    if (a->type.base() == BaseType::Function) throw Unsupported{};
  if (arithmetic(out, f.name, args)) return;
  const Scoped real(real_, kReal);
  const bool scalars = !args.empty() && all_numbers(args) && e.type.is(BaseType::Real);
  const std::size_t number = unit_.library(f.name, scalars ? args.size() : 0);
  const Around around = scalars ? Around{} : number_of(e.type);
  out << std::string(around.before);
  braced(out, fmt::format("n__::{}(c__, {}, {}, ", scalars ? "scalar<R__>" : "call", number, dropped(f.propto, args)), args);
  out << ")" << std::string(around.behind);
}

bool Native::density_to_target(Code& out, const Expr& value) {
  const FunApp* call = as_call(value);
  const auto* f = call ? std::get_if<StanLib>(&call->fn) : nullptr;
  if (!f || call->args.empty() || f->name.find("_l") == std::string::npos || find_operator(f->name)) return false;
  for (const mir::ExprPtr& a : call->args)
    if (a->type.base() == BaseType::Function) return false;
  const bool scalars = all_numbers(call->args) && value.type.is(BaseType::Real);
  const std::size_t number = unit_.library(f->name, scalars ? call->args.size() : 0);
  braced(out, fmt::format("n__::{}_to_target<R__>(c__, {}, {}, ", scalars ? "scalar" : "call", number, dropped(f->propto, call->args)),
         call->args);
  out << ")";
  return true;
}

void Native::user_call(Code& out, const UserDefined& f, const Args& args) {
  const Scoped real(real_, kReal);
  const std::size_t index = unit_.user_function(f.name, args);
  const mir::Function& callee = unit_.program().functions[index];
  if (unit_.has_code(index)) {
    const bool propto = f.propto || callee.suffix == Suffix::Target;
    out << fmt::format("n__::Result<{}>{{c__, {}, {}, {}, {}<R__>", callee.result ? type_text(*callee.result) : "void", string_literal(callee.name),
                       propto, active(args), unit_.function_name(index));
    for (const mir::ExprPtr& a : args) expr((out << ",").br(), *a);
    out << (callee.result ? "}.value" : "}");
    return;
  }
  const Around around = callee.result ? number_of(*callee.result) : Around{};
  out << std::string(around.before);
  braced(out, fmt::format("n__::interpret(c__, {}, {}, {}, ", index, f.propto, active(args)), args);
  out << ")" << std::string(around.behind);
}

void Native::internal_call(Code& out, const Expr& e, const CompilerInternal& f, const Args& args) {
  const Scoped real(real_, kReal);
  switch (f.fn) {
    case Internal::FnLength:
      expr(out << "n__::length(", *args.at(0));
      out << ")";
      return;
    case Internal::FnMakeArray:
      if (args.empty()) throw Unsupported{};
      braced(out, "n__::array(c__, ", args);
      out << ")";
      return;
    case Internal::FnMakeTuple:
      braced(out, "n__::tuple(", args);
      out << ")";
      return;
    case Internal::FnMakeRowVec: {
      const bool matrix = e.type.is(BaseType::Matrix) || e.type.is(BaseType::ComplexMatrix);
      const bool complex = e.type.is(BaseType::ComplexMatrix) || e.type.is(BaseType::ComplexRowVector);
      braced(out, fmt::format("n__::row<{}, {}>(c__, ", matrix, complex), args);
      out << ")";
      return;
    }
    case Internal::FnNegInf:
      out << "(-__builtin_inf())";
      return;
    case Internal::FnNaN:
      out << "__builtin_nan(\"\")";
      return;
    case Internal::FnDeepCopy:
      return expr(out, *args.at(0));  // values are copied on assignment anyway
    default:
      throw Unsupported{};
  }
}

// ---------------------------------------------------------------- choices and conversions

void Native::ternary(Code& out, const Expr& e, const TernaryIf& t) {
  const Scoped real(real_, kReal);
  const std::string type = type_text(e.type);
  expr(out.open() << "(", *t.test);
  expr((out << " ?").br() << type << "(", *t.yes);
  expr((out << ") :").br() << type << "(", *t.no);
  out.close() << "))";
}

void Native::logical(Code& out, const Expr& left, std::string_view op, const Expr& right) {
  infix(out, left, op, right);
}

void Native::infix(Code& out, const Expr& left, std::string_view op, const Expr& right) {
  expr(out.open() << "(", left);
  expr((out << " " << std::string(op)).br(), right);
  out.close() << ")";
}

void Native::promotion(Code& out, const Promotion& p) {
  if (scalar_of(p.operand->type) == p.scalar) return expr(out, *p.operand);
  if (p.operand->type.is(BaseType::Int) && p.scalar.is(BaseType::Real)) {
    expr(out << "R__(", *p.operand);
    out << ")";
    return;
  }
  if (p.scalar.base() == BaseType::Tuple) throw Unsupported{};
  expr(out << fmt::format("n__::promote<{}>(c__, ", static_cast<int>(p.scalar.base())), *p.operand);
  out << ")";
}

void Native::projection(Code& out, const TupleProjection& p) {
  const Around around = number_of(p.tuple->type.slots()[p.slot - 1]);
  expr(out << std::string(around.before) << "n__::slot(", *p.tuple);
  out << ", " << static_cast<std::size_t>(p.slot) << ")" << std::string(around.behind);
}

// ---------------------------------------------------------------- indexes

void Native::index(Code& out, const Index& i) {
  switch (i.kind) {
    case Index::Kind::All:
      out << "n__::all()";
      return;
    case Index::Kind::Single:
      expr(out << "n__::single(", *i.low);
      break;
    case Index::Kind::Upfrom:
      expr(out << "n__::from(", *i.low);
      break;
    case Index::Kind::Between:
      expr(out << "n__::between(", *i.low);
      expr(out << ", ", *i.high);
      break;
    case Index::Kind::Multi:
      expr(out << "n__::list(", *i.low);
      break;
  }
  out << ")";
}

void Native::indexes(Code& out, const std::vector<Index>& list) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (k > 0) (out << ",").br();
    index(out, list[k]);
  }
}

std::string element_type(std::string_view what, const Type& container) {
  const std::string_view number = scalar_of(container).is(BaseType::Int) ? "int" : "R__";
  return fmt::format("n__::{}<{}, {}, {}>", what, number, container.array_dims(), depth_of(container) - container.array_dims());
}

std::string Native::view(const std::string& variable) const {
  return views_.contains(variable) ? variable + "_v__" : std::string();
}

void Native::indexed(Code& out, const Indexed& x) {
  const Scoped real(real_, kReal);
  const auto [base, all] = flat_indexes(x);
  const Type result = indexed_type(base->type, all);
  const int count = static_cast<int>(all.size());
  const bool scalar = is_number(result) && count == depth_of(base->type);
  const bool single = all_single(all);
  const bool general = !single || (!scalar && count > base->type.array_dims());
  const Around around = scalar ? Around{} : number_of(result);
  out << std::string(around.before);
  const auto* v = std::get_if<Var>(&base->node);
  const std::string open = scalar && single && v ? view(v->name) : std::string();
  if (!open.empty()) {
    out << open << ".get(c__, " << string_literal(v->name);
  } else {
    out << (general ? "n__::part(" : scalar ? element_type("element", base->type) + "(c__, " : "n__::array_element(");
    expr(out << string_literal(shown_name(*base)) << ", ", *base);
  }
  (out << ",").br();
  out << (scalar ? "" : "{");
  if (general) {
    indexes(out, all);
  } else {
    Args at;
    for (const Index& i : all) at.push_back(i.low);
    list(out, at);
  }
  out << (scalar ? "" : "}");
  out << ")" << std::string(around.behind);
}

}  // namespace fermiac::codegen::native
