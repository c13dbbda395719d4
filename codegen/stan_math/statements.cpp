// Statements: assignments and their destinations, terms of the density, returns, profiles.
#include <algorithm>
#include <array>

#include "codegen/names.h"
#include "codegen/stan_math/stan_math.h"
#include "codegen/stan_math/types.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "support/base/match.h"

namespace fermiac::codegen::stan_math {

using namespace mir;  // NOLINT: the constructs of this file are its nodes

namespace {

bool may_throw(const Stmt& s) {
  return match(
      s.node, [](const Assignment&) { return true; }, [](const TargetPE&) { return true; },
      [](const JacobianPE&) { return true; }, [](const NRFunApp&) { return true; }, [](const Break&) { return false; },
      [](const Continue&) { return false; }, [](const Return&) { return true; }, [](const Skip&) { return false; },
      [](const IfElse&) { return true; }, [](const While&) { return true; }, [](const For&) { return true; },
      [](const Profile&) { return true; }, [](const Block&) { return false; }, [](const SList&) { return false; },
      [](const Decl& d) { return d.init == Decl::Init::Assign; });
}

/// Whether one is a part of the other: `t.1` of `t`.
bool overlap(const std::string& a, const std::string& b) {
  const auto within = [](const std::string& part, const std::string& whole) {
    return part.starts_with(whole) && (part.size() == whole.size() || part[whole.size()] == '.');
  };
  return within(a, b) || within(b, a);
}

/// Copies of what a destination and a right side share: library calls read lazily, while the destination is written.
/// Literals copy by themselves, but for those of tuples, which refer to their slots (`in_tuple`).
ExprPtr without_overlap(const ExprPtr& e, const std::string& destination, bool in_tuple = false) {
  const std::string base = base_text(*e);
  if (!base.empty() && overlap(base, destination)) {
    if (e->type.is_scalar() && !in_tuple) return e;
    return internal_call(Internal::FnDeepCopy, {e}, e->type);
  }
  if (is_list(*e)) return e;
  const bool tuple = is_internal(*e, Internal::FnMakeTuple);
  return map_children(e, [&](const ExprPtr& child) { return without_overlap(child, destination, tuple); });
}

bool is_temporary(const std::string& name) {
  return name.starts_with("lcm_");
}

/// The expression, or one below it.
template <class Test>
bool any_part(const Expr& e, Test test) {
  bool out = false;
  each_subexpr(e, [&](const Expr& part) { out = out || test(part); });
  return out;
}

bool is_temporary_container(const Expr& e) {
  const Var* v = as_var(e);
  return v && is_eigen(e.type.base()) && is_temporary(v->name);
}

/// What was a function's body in place of a call has the levels of its arguments, but for the variables.
bool is_autodiff_variable(const Expr& e) {
  return as_var(e) && e.ad.any();
}

/// A part of a container with one adjoint, or data: what they are assigned to would share their numbers.
bool is_view(const Expr& e) {
  if (!is_eigen(e.type)) return false;
  const StanLib* fn = as_library(e);
  const bool data = as_var(e) && !e.ad.any();
  return data || std::holds_alternative<Indexed>(e.node) || (fn && has(fn->fn, Fact::Moves));
}

bool holds_tuple_array(const Type& type) {
  return type.base() == BaseType::Tuple && (type.is_array() || std::ranges::any_of(type.slots(), holds_tuple_array));
}

bool is_all(const Index& i) {
  return i.kind == Index::Kind::All;
}

}  // namespace

void StanMath::locate(Lines& out, Span span) {
  if (span == Span{}) return;
  out << (Code("current_statement__ = ") << unit_.locations().number(span) << ";");
}

void StanMath::place(Lines& out, const Stmt& s) {
  if (may_throw(s)) locate(out, s.span);
}

std::string StanMath::loop_variable(const std::string& name) {
  return variable_id(name);
}

/// With the hint of @likely or @unlikely to the C++ compiler.
Code StanMath::condition(const Expr& test) {
  const std::optional<bool> likely = unit_.likely(test);
  if (!likely) return text(test);
  return Code("__builtin_expect(") << text(test) << (*likely ? ", 1)" : ", 0)");
}

// ---------------------------------------------------------------- assignments

/// The unindexed destination: indexes before a slot one at a time, for only such reads are references.
void StanMath::destination(Code& out, const LValue& left) {
  if (!left.tuple) {
    out << variable_id(left.variable);
    return;
  }
  const LValue& tuple = *left.tuple;
  const std::string name = string_literal(base_text(tuple));
  out << "std::get<" << static_cast<std::size_t>(left.slot - 1) << ">(";
  for (std::size_t i = 0; i < tuple.indexes.size(); ++i) out << "stan::model::rvalue(";
  destination(out, tuple);
  for (const Index& i : tuple.indexes) {
    (out << ", " << name << ",").br();
    index(out, i);
    out << ")";
  }
  out << ")";
}

ExprPtr StanMath::right_side(const Assignment& a) const {
  const Type type = destination_type(a.type, a.left);
  ExprPtr right = a.right;
  // assign() converts element by element.
  if (const auto* p = std::get_if<Promotion>(&right->node); p && !type.is_scalar() && type.base() != BaseType::Tuple)
    right = p->operand;
  return without_overlap(right, base_text(a.left));
}

void StanMath::assignment(Lines& out, const Assignment& a) {
  const bool all = std::ranges::all_of(a.left.indexes, is_all);
  if (const Var* v = as_var(*a.right); all && v && !a.left.tuple && v->name == a.left.variable) return;  // to itself
  if (all && (a.type.is_scalar() || is_internal(*a.right, Internal::FnReadData) ||
              is_internal(*a.right, Internal::FnReadParam)))
    assign_whole(out, a);
  else
    assign_part(out, a);
}

void StanMath::assign_whole(Lines& out, const Assignment& a) {
  Code line;
  destination(line, a.left);
  out << (line << " = " << text(*a.right) << ";");
}

/// Temporaries of the optimiser are declared without a layout: what goes from one to the other layout is converted. The
/// function for it, empty if there is nothing to do.
std::string_view StanMath::storage_change(const Assignment& a) const {
  const Expr& right = *a.right;
  if (a.left.tuple || !is_eigen(right.type.base()) || !carries_derivatives(right)) return "";
  if (whole_.contains(a.left.variable)) return any_part(right, is_temporary_container) ? "stan::math::to_var_value(" : "";
  const bool whole = !whole_.empty() || any_part(right, makes_whole);
  return whole && is_temporary(a.left.variable) ? "stan::math::from_var_value(" : "";
}

/// Of what was declared here: transformed data and members are numbers.
AdLevel StanMath::level_of(const LValue& left) const {
  if (left.tuple) return slot_level(level_of(*left.tuple), left.slot - 1);
  const auto found = tuple_levels_.find(left.variable);
  return found == tuple_levels_.end() ? AdLevel{} : found->second;
}

/// Into an array without elements the headers convert beyond its end: ints to reals, reals to complex numbers, data to what
/// carries derivatives. Whether the right side does its level does not always tell: arguments of functions are templates.
bool StanMath::fills_array(const Assignment& a) const {
  if (a.left.tuple || !std::ranges::all_of(a.left.indexes, is_all)) return false;
  const auto found = unfilled_.find(a.left.variable);
  return found != unfilled_.end() && (found->second.any() || right_side(a)->type != destination_type(a.type, a.left));
}

/// The headers do not convert tuples in arrays, so they come with the scalars of their destination.
void StanMath::assigned_value(Code& out, const Assignment& a) {
  const ExprPtr right = right_side(a);
  const Type type = destination_type(a.type, a.left);
  const bool in_array = type.base() == BaseType::Tuple && !a.left.indexes.empty();
  const bool slots = type.base() == BaseType::Tuple && fills_array(a);
  if (in_array || slots || holds_tuple_array(type)) return converted(out, *right, right->type, level_of(a.left));
  if (fills_array(a)) {
    const bool soa = whole_.contains(a.left.variable);
    if (soa && any_part(*right, is_autodiff_variable)) return expr(out, *right);
    const std::string promoted = "stan::math::promote_scalar<" + scalar_text(type, unfilled_.at(a.left.variable)) + ">(";
    const std::string change(soa ? "stan::math::to_var_value(" : storage_change(a));
    return enclosed(out, change + promoted, *right, change.empty() ? ")" : "))");
  }
  if (const std::string_view change = storage_change(a); !change.empty()) return enclosed(out, change, *right, ")");
  if (whole_.contains(a.left.base_name()) && is_view(*right)) return enclosed(out, "stan::math::eval(", *right, ")");
  expr(out, *right);
}

/// In the next round of a loop it may have another size, which the headers refuse.
void StanMath::empty_temporary(Lines& out, const LValue& left) {
  const std::string name = variable_id(left.variable);
  out << Code(name + " = decltype(" + name + ")();");
}

void StanMath::assign_part(Lines& out, const Assignment& a) {
  const bool all = std::ranges::all_of(a.left.indexes, is_all);
  if (all && is_temporary(base_text(a.left))) empty_temporary(out, a.left);
  Code line("stan::model::assign(");
  line.open();
  destination(line, a.left);
  (line << ",").br();
  assigned_value(line, a);
  (line << ",").br() << string_literal("assigning variable " + base_text(a.left));
  if (!all) {
    for (const Index& i : a.left.indexes) {
      (line << ",").br();
      index(line, i);
    }
  }
  out << (line.close() << ");");
}

// ---------------------------------------------------------------- the density

void StanMath::target(Lines& out, const Expr& value) {
  out << (Code("lp_accum__.add(") << text(value) << ");");
}

void StanMath::jacobian(Lines& out, const Expr& value) {
  out.open("if (jacobian__)");
  target(out, value);
  out.close();
}

void StanMath::profile(Lines& out, const Profile& p) {
  out.open("");
  out << Code("stan::math::profile<local_scalar_t__> profile__(" + string_literal(p.name) +
              ", const_cast<stan::math::profile_map&>(profiles__));");
  body(out, p.body);
  out.close();
}

// ---------------------------------------------------------------- calls and returns

void StanMath::procedure(Lines& out, const NRFunApp& f) {
  if (const auto* fn = std::get_if<CompilerInternal>(&f.fn)) return internal_statement(out, *fn, f.args);
  Code line;
  const Expr as_value{FunApp{f.fn, f.args}, BaseType::Void, {}, {}};
  expr(line, as_value);
  out << (line << ";");
}

void StanMath::returning(Lines& out, const Return& r) {
  if (!r.value) {
    out << "return;";
    return;
  }
  Code line("return ");
  const Type& type = r.value->type;
  if (in_function() && !type.is_discrete())
    converted(line, *r.value, type, uniform_level(type, true));
  else
    expr(line, *r.value);
  out << (line << ";");
}

}  // namespace fermiac::codegen::stan_math
