// Statements: places, assignments, declarations, control flow.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/names.h"
#include "codegen/native/native.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "support/base/match.h"

namespace fermiac::codegen::native {

using namespace mir;  // NOLINT: the walk is over its nodes

Native::Native(Unit& unit, const mir::Function* function) : unit_(unit), function_(function) {
  scope_.in_function = function != nullptr;
  if (!function) return;
  for (const FunctionArg& arg : function->args) scope_.arguments.push_back(arg.name);
}

namespace {

/// Names that a statement assigns or declares, anywhere inside it.
std::set<std::string> assigned(const Stmt& top) {
  std::set<std::string> out;
  each_substmt(top, [&](const Stmt& s) {
    if (const auto* a = std::get_if<Assignment>(&s.node)) out.insert(a->left.base_name());
    if (const auto* d = std::get_if<Decl>(&s.node)) out.insert(d->id);
    if (const auto* f = std::get_if<For>(&s.node)) out.insert(f->variable);
  });
  return out;
}

/// Whether rounds of the loop may change its bound.
bool moves(const For& f) {
  if (has_rng(*f.upper) || has_side_effect(*f.upper)) return true;
  const std::set<std::string> changing = assigned(*f.body);
  return std::ranges::any_of(variables(*f.upper), [&](const std::string& name) { return changing.contains(name); });
}

bool may_fail(const Stmt& s) {
  if (const auto* a = std::get_if<Assignment>(&s.node)) return a->left.tuple || !a->left.indexes.empty() || !(is_number(a->right->type) && is_total(*a->right));
  if (const auto* d = std::get_if<Decl>(&s.node)) {
    const auto* sized = std::get_if<SizedType>(&d->type);
    return d->value ? !(is_number(d->value->type) && is_total(*d->value)) : sized && !is_number(sized->type());
  }
  if (const auto* i = std::get_if<IfElse>(&s.node)) return !is_total(*i->test);
  return !(std::holds_alternative<Break>(s.node) || std::holds_alternative<Continue>(s.node) ||
           std::holds_alternative<Skip>(s.node) || std::holds_alternative<Block>(s.node) ||
           std::holds_alternative<SList>(s.node) || std::holds_alternative<Profile>(s.node));
}

/// The right side of `s` if it assigns the whole of `name` without reading it.
const Expr* initialiser(const Stmt& s, const std::string& name) {
  const auto* a = std::get_if<Assignment>(&s.node);
  if (!a || a->left.tuple || a->left.variable != name || !a->left.indexes.empty()) return nullptr;
  return mentions(*a->right, name) || has_side_effect(*a->right) || has_rng(*a->right) ? nullptr : a->right.get();
}

}  // namespace

void Native::body(Lines& out, const std::vector<StmtPtr>& statements) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const auto* decl = std::get_if<Decl>(&statements[i]->node);
    const Stmt* next = i + 1 < statements.size() ? statements[i + 1].get() : nullptr;
    const bool sized = decl && std::holds_alternative<SizedType>(decl->type) && !decl->value;
    const Expr* value = sized && next ? initialiser(*next, decl->id) : nullptr;
    if (!value || std::get<SizedType>(decl->type).base == BaseType::Tuple) {
      stmt(out, *statements[i]);
      continue;
    }
    place(out, *next);
    declare_with(out, *decl, *value);
    ++i;
  }
}

void Native::place(Lines& out, const Stmt& s) {
  if (may_fail(s) && !(s.span == Span{})) out << Code(fmt::format("n__::at(c__, {});", unit_.site(s)));
}

// ---------------------------------------------------------------- assignments

void Native::assignment(Lines& out, const Assignment& a) {
  const std::string& name = a.left.base_name();
  const std::string id = variable_id(name);
  if (a.left.tuple || !a.left.indexes.empty()) return assign_part(out, a);
  if (is_number(a.type) || unit_.resizable(name)) {
    out << (Code(id + " = ") << text(*a.right) << ";");
    return;
  }
  out << (Code("n__::assign(" + string_literal(name) + ", " + id + ", ") << text(*a.right) << ");");
}

void Native::step(Code& out, const LValue& left) {
  if (left.tuple) {
    step(out, *left.tuple);
    (out << ",").br() << "n__::into_slot(" << static_cast<std::size_t>(left.slot) << ")";
  }
  if (left.indexes.empty()) return;
  (out << ",").br() << "n__::Step(n__::Into<" << left.indexes.size() << ">{{";
  indexes(out, left.indexes);
  out << "}})";
}

void Native::assign_part(Lines& out, const Assignment& a) {
  const std::string& name = a.left.base_name();
  const std::string head = string_literal(name) + ", " + variable_id(name) + ", ";
  const Type part = a.left.tuple ? Type(BaseType::Void) : indexed_type(a.type, a.left.indexes);
  if (!a.left.tuple && all_single(a.left.indexes) && is_number(part)) {
    std::vector<mir::ExprPtr> at;
    for (const Index& i : a.left.indexes) at.push_back(i.low);
    const std::string v = view(name);
    Code line(v.empty() ? element_type("set_element", a.type) + "(c__, " + head : v + ".set(c__, " + string_literal(name) + ", ");
    expr(line, *a.right);
    (line << ",").br();
    list(line, at);
    out << (line << ");");
    return;
  }
  Code line("n__::assign_part(c__, " + head);
  expr(line, *a.right);
  step(line, a.left);
  out << (line << ");");
}

// ---------------------------------------------------------------- declarations

/// Rows, columns, array dimensions.
Code Native::sizes(const SizedType& type) {
  Code out;
  const bool row = type.base == BaseType::RowVector || type.base == BaseType::ComplexRowVector;
  if (type.sizes.empty()) out << "1, 1";
  else if (type.sizes.size() == 2) list(out, type.sizes);
  else if (row) expr(out << "1, ", *type.sizes[0]);
  else expr(out, *type.sizes[0]), out << ", 1";
  for (const mir::ExprPtr& dim : type.array_dims) expr(out << ", ", *dim);
  return out;
}

Code Native::filled(const SizedType& type) {
  Code out;
  if (type.type().is(BaseType::Int)) return out << "(-2147483647 - 1)";
  if (type.type().is(BaseType::Real)) return out << "__builtin_nan(\"\")";
  if (type.base != BaseType::Tuple) return out << fmt::format("n__::fill<{}>(", static_cast<int>(type.base)) << sizes(type) << ")";
  Code tuple("n__::tuple({");
  for (std::size_t i = 0; i < type.slots.size(); ++i) tuple << (i > 0 ? ", " : "") << filled(type.slots[i]);
  tuple << "})";
  if (type.array_dims.empty()) return tuple;
  out << "n__::tuples(" << tuple;
  for (const mir::ExprPtr& dim : type.array_dims) expr(out << ", ", *dim);
  return out << ")";
}

void Native::declare_with(Lines& out, const Decl& d, const Expr& value) {
  const auto& sized = std::get<SizedType>(d.type);
  const Type type = sized.type();
  Code line(type_text(type) + " " + variable_id(d.id) + " = ");
  if (is_number(type)) {
    out << (line << text(value) << ";");
    return;
  }
  line << fmt::format("n__::declared<{}>({}, ", static_cast<int>(sized.base), string_literal(d.id)) << text(value) << ", ";
  out << (line << sizes(sized) << ");");
}

void Native::declaration(Lines& out, const Decl& d) {
  if (const auto* unsized = std::get_if<Type>(&d.type)) {
    if (unsized->base() == BaseType::Tuple && !d.value) throw Unsupported{};
    Code line(type_text(*unsized) + " " + variable_id(d.id));
    if (d.value) line << " = " << text(*d.value);
    else if (is_number(*unsized)) line << " = " << filled(sized_scalar(unsized->base()));
    out << (line << ";");
    return;
  }
  const auto& sized = std::get<SizedType>(d.type);
  if (d.value && sized.base != BaseType::Tuple) return declare_with(out, d, *d.value);
  out << (Code(type_text(sized.type()) + " " + variable_id(d.id) + " = ") << (d.value ? text(*d.value) : filled(sized)) << ";");
}

// ---------------------------------------------------------------- target, calls, text

void Native::target(Lines& out, const Expr& value) {
  if (value.type.base() == BaseType::Tuple) throw Unsupported{};
  Code line;
  if (!density_to_target(line, value)) line << "n__::add_to_target<R__>(c__, " << text(value) << ")";
  out << (line << ";");
}

void Native::jacobian(Lines& out, const Expr& value) {
  out.open("if (c__.jacobian)");
  target(out, value);
  out.close();
}

void Native::printed(Lines& out, int what, const Args& args) {
  Code line;
  braced(line, fmt::format("n__::say<{}>(c__, ", what), args);
  line << ")";
  out << (line << ";");
}

void Native::procedure(Lines& out, const NRFunApp& f) {
  if (const auto* fn = std::get_if<UserDefined>(&f.fn)) {
    Code line;
    user_call(line, *fn, f.args);
    out << (line << ";");
    return;
  }
  const CompilerInternal* fn = as_internal(f.fn);
  if (!fn) throw Unsupported{};
  const auto check = [&](int kind) {
    out << (Code(fmt::format("n__::check_size({}, ", kind)) << text(*f.args[0]) << ", " << text(*f.args[1]) << ", " << text(*f.args[2]) << ");");
  };
  switch (fn->fn) {
    case Internal::FnPrint:
      return printed(out, 0, f.args);
    case Internal::FnReject:
      return printed(out, 1, f.args);
    case Internal::FnFatalError:
      return printed(out, 2, f.args);
    case Internal::FnValidateSize:
      return check(0);
    case Internal::FnValidateSizePositive:
      return check(1);
    case Internal::FnValidateSizeUnitVector:
      return check(2);
    default:
      throw Unsupported{};
  }
}

// ---------------------------------------------------------------- control flow

void Native::returning(Lines& out, const Return& r) {
  if (farewell_) {
    out.append(*farewell_) << "return n__::Flow::Return;";
    return;
  }
  out << (r.value ? Code("return ") << text(*r.value) << ";" : Code("return;"));
}

/// The interpreter measures it; loops in it are regions of their own.
void Native::profile(Lines&, const Profile&) {
  throw Unsupported{};
}

std::vector<std::string> Native::open_views(Lines& out, const Stmt& s) {
  std::vector<std::string> names;
  for (const Viewed& x : viewed_containers(s)) {
    if (!views_.insert(x.name).second) continue;
    if (names.empty()) out.open("");
    names.push_back(x.name);
    const std::string type = element_type(x.written ? "Writer" : "View", x.type);
    out << Code(fmt::format("[[maybe_unused]] {} {}_v__({});", type, x.name, variable_id(x.name)));
  }
  return names;
}

void Native::close_views(Lines& out, const std::vector<std::string>& names) {
  for (const std::string& name : names) views_.erase(name);
  if (!names.empty()) out.close();
}

void Native::loop(Lines& out, const Stmt& s, const While& w) {
  const std::vector<std::string> opened = open_views(out, s);
  out.open("for (;;)") << "n__::poll(c__);";
  place(out, s);
  out << (Code("if (!(") << text(*w.test) << ")) break;");
  branch(out, *w.body);
  out.close();
  close_views(out, opened);
}

/// Counted in more bits than an int has, so that the largest int can be the end.
void Native::loop(Lines& out, const Stmt& s, const For& f) {
  const std::vector<std::string> opened = moves(f) ? std::vector<std::string>() : open_views(out, s);
  const std::string i = loop_variable(f.variable), count = f.variable + "_at__", last = f.variable + "_end__";
  Code head("for (long " + count + " = ");
  (head << text(*f.lower) << ", " << last << " = " << text(*f.upper) << ";").br() << count << " <= " << last << ";";
  head.br() << "++" << count;
  if (moves(f)) (head << ", " << last << " = ") << text(*f.upper);
  out.open(head << ")") << "n__::poll(c__);" << Code("[[maybe_unused]] const int " + i + " = static_cast<int>(" + count + ");");
  branch(out, *f.body);
  out.close();
  close_views(out, opened);
}

std::string Native::loop_variable(const std::string& name) {
  return variable_id(name);
}

}  // namespace fermiac::codegen::native
