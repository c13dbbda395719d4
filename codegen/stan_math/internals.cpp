// Internal functions of the MIR: reading and writing, checks, messages; declarations.
#include <algorithm>
#include <array>

#include "codegen/names.h"
#include "codegen/stan_math/stan_math.h"
#include "codegen/stan_math/types.h"
#include "mir/ir/build.h"
#include "support/base/check.h"

namespace fermiac::codegen::stan_math {

using namespace mir;  // NOLINT: the constructs of this file are its nodes

namespace {

using Kind = TransformKind;

struct TransformRow {
  Kind kind;
  std::string_view name;   // of what reads and writes
  std::string_view check;  // of what checks
};
constexpr std::array<TransformRow, 18> kTransforms = {
    {{Kind::Lower, "lb", "greater_or_equal"},
     {Kind::Upper, "ub", "less_or_equal"},
     {Kind::LowerUpper, "lub", ""},
     {Kind::Offset, "offset_multiplier", ""},
     {Kind::Multiplier, "offset_multiplier", ""},
     {Kind::OffsetMultiplier, "offset_multiplier", ""},
     {Kind::Ordered, "ordered", "ordered"},
     {Kind::PositiveOrdered, "positive_ordered", "positive_ordered"},
     {Kind::Simplex, "simplex", "simplex"},
     {Kind::UnitVector, "unit_vector", "unit_vector"},
     {Kind::SumToZeroVector, "sum_to_zero", "sum_to_zero"},
     {Kind::SumToZeroMatrix, "sum_to_zero", "sum_to_zero"},
     {Kind::CholeskyCorr, "cholesky_factor_corr", "cholesky_factor_corr"},
     {Kind::CholeskyCov, "cholesky_factor_cov", "cholesky_factor"},
     {Kind::Correlation, "corr_matrix", "corr_matrix"},
     {Kind::Covariance, "cov_matrix", "cov_matrix"},
     {Kind::StochasticColumn, "stochastic_column", "stochastic_column"},
     {Kind::StochasticRow, "stochastic_row", "stochastic_row"}}};

const TransformRow* find_row(Kind kind) {
  const auto* row = std::ranges::find(kTransforms, kind, &TransformRow::kind);
  return row == kTransforms.end() ? nullptr : row;
}

/// Bounds, or offset and multiplier, of which one may be missing.
std::vector<ExprPtr> bounds(const Transform& t) {
  std::vector<ExprPtr> out;
  if (t.kind == Kind::Multiplier) out.push_back(int_lit(0));
  if (t.first) out.push_back(t.first);
  if (t.second) out.push_back(t.second);
  if (t.kind == Kind::Offset) out.push_back(int_lit(1));
  return out;
}

/// What the headers compute when it is used.
bool is_lazy(const Transform& t, const Type& type) {
  return is_eigen(type) && (t.kind == Kind::Offset || t.kind == Kind::Multiplier || t.kind == Kind::OffsetMultiplier);
}

const std::string& string_of(const Expr& e) {
  const Lit* lit = as_lit(e);
  FERMIAC_CHECK(lit && lit->kind == Lit::Kind::Str, "a name is a string");
  return lit->text;
}

/// Itself, or in a slot.
bool holds_array(const Type& type) {
  if (type.base() == BaseType::Tuple) return std::ranges::any_of(type.slots(), holds_array);
  return type.is_array();
}

}  // namespace

std::string_view transform_name(Kind kind) {
  const TransformRow* row = find_row(kind);
  return row ? row->name : std::string_view{};
}

// ---------------------------------------------------------------- values

void StanMath::internal_call(Code& out, const Expr& e, const CompilerInternal& f, const Args& args) {
  switch (f.fn) {
    case Internal::FnLength:
      return enclosed(out, "static_cast<int>(stan::math::size(", *args[0], "))");
    case Internal::FnMakeArray:
      return array_literal(out, e, args);
    case Internal::FnMakeRowVec:
      return row_literal(out, e, args, false);
    case Internal::FnMakeTuple:
      (out << "std::forward_as_tuple(").open();
      list(out, args);
      out.close() << ")";
      return;
    case Internal::FnNegInf:
      out << "stan::math::negative_infinity()";
      return;
    case Internal::FnNaN:
      out << kNan;
      return;
    case Internal::FnDeepCopy:
      return enclosed(out, whole_part(*args[0]) ? "stan::math::eval(" : "stan::model::deep_copy(", *args[0], ")");
    case Internal::FnReadData:
      return read_data(out, e, args);
    case Internal::FnReadDeserializer:
      out << "in__.template read<" << type_text(e.type, e.ad) << ">()";
      return;
    case Internal::FnReadParam:
      return read_parameter(out, e, f);
    default:
      break;
  }
  FERMIAC_CHECK(false, "the function has no value");
}

void StanMath::read_data(Code& out, const Expr& e, const Args& args) {
  const BaseType base = e.type.base();
  out << "context__."
      << (base == BaseType::Int ? "vals_i("
          : is_complex(base)    ? "vals_c("
                                : "vals_r(")
      << string_literal(string_of(*args[0])) << ")";
}

std::string StanMath::read_type(const Expr& e, const CompilerInternal& f) const {
  return f.mem == MemPattern::SoA && is_eigen(e.type.base()) ? soa_type_text(e.type)
                                                             : type_text(e.type, uniform_level(e.type, true));
}

/// An argument with a comma. Functions that transform may give an expression over their arguments: those outlive them.
void StanMath::bound(Code& out, const Expr& e) {
  if (is_eigen(e.type) && !as_var(e))
    enclosed(out, "stan::math::eval(", e, ")");
  else
    expr(out, e);
  (out << ",").br();
}

void StanMath::read_parameter(Code& out, const Expr& e, const CompilerInternal& f) {
  const std::string_view name = transform_name(f.transform.kind);
  const std::string type = read_type(e, f);
  if (name.empty())
    (out << "in__.template read<" << type << ">(").open();
  else
    (out << "in__.template read_constrain_" << name << "<" << type << ", jacobian__>(").open();
  for (const ExprPtr& bound : bounds(f.transform)) this->bound(out, *bound);
  if (!name.empty()) out << "lp__" << (f.dims.empty() ? "" : ", ");
  list(out, f.dims);
  out.close() << ")";
}

// ---------------------------------------------------------------- statements

void StanMath::internal_statement(Lines& out, const CompilerInternal& f, const Args& args) {
  const auto call = [&](std::string_view name) {
    Code line;
    (line << name << "(").open();
    list(line, args);
    out << (line.close() << ");");
  };
  switch (f.fn) {
    case Internal::FnPrint:
      return print(out, args);
    case Internal::FnReject:
      return stop(out, args, "std::domain_error");
    case Internal::FnFatalError:
      return stop(out, args, "std::runtime_error");
    case Internal::FnWriteParam:
      return write(out, f);
    case Internal::FnValidateSize:
      return call("stan::math::validate_non_negative_index");
    case Internal::FnValidateSizePositive:
      return call("stan::math::validate_positive_index");
    case Internal::FnValidateSizeUnitVector:
      return call("stan::math::validate_unit_vector_index");
    case Internal::FnCheck:
      return check(out, f, args);
    default:
      break;
  }
  FERMIAC_CHECK(false, "the function is no statement");
}

void StanMath::check(Lines& out, const CompilerInternal& f, const Args& args) {
  const TransformRow* row = find_row(f.transform.kind);
  FERMIAC_CHECK(row && !row->check.empty(), "every transform that is checked has a function for it");
  Code line;
  (line << "stan::math::check_" << row->check << "(function__, " << string_literal(f.var_name) << ", ").open();
  expr(line, *f.var);
  for (const ExprPtr& arg : args) {
    (line << ",").br();
    expr(line, *arg);
  }
  out << (line.close() << ");");
}

void StanMath::write(Lines& out, const CompilerInternal& f) {
  const std::string_view name = f.has_transform ? transform_name(f.transform.kind) : std::string_view{};
  Code line("out__.write");
  if (!name.empty()) line << "_free_" << name;
  (line << "(").open();
  if (!name.empty()) {
    for (const ExprPtr& bound : bounds(f.transform)) this->bound(line, *bound);
  }
  expr(line, *f.var);
  out << (line.close() << ");");
}

void StanMath::printed(Lines& out, std::string_view stream, const Args& args) {
  for (const ExprPtr& arg : args) out << (Code("stan::math::stan_print(") << stream << ", " << text(*arg) << ");");
}

void StanMath::print(Lines& out, const Args& args) {
  out.open("if (pstream__)");
  printed(out, "pstream__", args);
  out << "*(pstream__) << std::endl;";
  out.close();
}

/// Whether deep_copy() would hand it on as it is.
bool StanMath::whole_part(const Expr& e) const {
  const auto* part = std::get_if<Indexed>(&e.node);
  const Var* v = part ? as_var(*part->base) : nullptr;
  return v && whole_.contains(v->name) && is_eigen(e.type);
}

void StanMath::stop(Lines& out, const Args& args, std::string_view exception) {
  out.open("");
  out << "std::stringstream errmsg_stream__;";
  printed(out, "&errmsg_stream__", args);
  out << (Code("throw ") << exception << "(errmsg_stream__.str());");
  out.close();
}

// ---------------------------------------------------------------- declarations

/// Copies of a container with one adjoint are the same container: elements of an array become such one by one.
Code StanMath::fill(const SizedType& type, const AdLevel& level) {
  const Type whole = type.type();
  if (!type.array_dims.empty()) {
    SizedType element = type;
    element.mem = MemPattern::AoS;
    const bool soa = type.mem == MemPattern::SoA && is_eigen(type.base);
    if (soa) return Code("stan::math::to_var_value(") << fill(element, {.autodiff = true, .slots = {}}) << ")";
    element.array_dims.erase(element.array_dims.begin());
    return Code(type_text(whole, level)) << "(" << text(*type.array_dims[0]) << ", " << fill(element, level) << ")";
  }
  if (type.base == BaseType::Int) return "std::numeric_limits<int>::min()";
  if (type.base == BaseType::Tuple) {
    Code out(type_text(whole, level) + "{");
    for (std::size_t i = 0; i < type.slots.size(); ++i)
      out << (i == 0 ? "" : ", ") << fill(type.slots[i], level.slots.empty() ? level : level.slots[i]);
    return out << "}";
  }
  const bool soa = type.mem == MemPattern::SoA && is_eigen(type.base);
  std::string number(level.any() && !soa ? "DUMMY_VAR__" : kNan);
  if (is_complex(type.base)) number = scalar_text(whole, level) + "(" + number + ", " + number + ")";
  if (type.sizes.empty()) return number;
  const std::string matrix = type_text(whole, soa ? AdLevel{} : level);
  Code out(matrix + "::Constant(");
  list(out, type.sizes);
  out << ", " << number << ")";
  return soa ? Code(soa_type_text(whole)) << "(" << out << ")" : out;
}

void StanMath::declaration(Lines& out, const Decl& d) {
  if (members_ != nullptr && members_->contains(d.id)) return declare_member(out, d);
  const auto* sized = std::get_if<SizedType>(&d.type);
  const Type type = sized ? sized->type() : std::get<Type>(d.type);
  const std::string id = variable_id(d.id);
  const std::string unused =
      type.is_scalar() || type.base() == BaseType::Tuple ? "[[maybe_unused]] " : "";  // compilers ask
  if (type.base() == BaseType::Tuple) tuple_levels_[d.id] = d.ad;
  if (d.init == Decl::Init::Assign && is_internal(*d.value, Internal::FnReadParam)) {
    const CompilerInternal& read = *as_internal(as_call(*d.value)->fn);
    const std::string kind = is_lazy(read.transform, type) ? read_type(*d.value, read) : "auto";
    out << (Code(unused + kind + " " + id + " = ") << text(*d.value) << ";");
    if (read.mem == MemPattern::SoA) whole_.insert(d.id);
    return;
  }
  const bool soa = sized && sized->mem == MemPattern::SoA && is_eigen(type.base());
  if (soa) whole_.insert(d.id);
  const bool filled = d.init == Decl::Init::Default && sized;
  unfilled_.erase(d.id);
  if (!filled && holds_array(type)) unfilled_[d.id] = d.ad;
  const Code head(unused + (soa ? soa_type_text(type) : type_text(type, d.ad)) + " " + id);
  if (filled)
    out << (Code(head) << " = " << fill(*sized, d.ad) << ";");
  else
    out << (Code(head) << ";");
  if (d.init == Decl::Init::Assign) assignment(out, {to_variable(d.id), type, d.value});
}

/// Containers of the class are views of storage that has its own member: arrays need none.
void StanMath::declare_member(Lines& out, const Decl& d) {
  const std::string id = variable_id(d.id);
  const auto* sized = std::get_if<SizedType>(&d.type);
  const Type type = sized ? sized->type() : std::get<Type>(d.type);
  if (sized && is_eigen(type)) {
    const std::string matrix = type_text(type, {});
    out << (Code(id + "_data__ = ") << fill(*sized, {}) << ";");
    Code line("new (&" + id + ") Eigen::Map<" + matrix + ">(" + id + "_data__.data(), ");
    list(line, sized->sizes);
    out << (line << ");");
  } else if (sized) {
    out << (Code(id + " = ") << fill(*sized, uniform_level(type, false)) << ";");
  }
  if (d.init == Decl::Init::Assign) assignment(out, {to_variable(d.id), type, d.value});
}

// ---------------------------------------------------------------- dimensions of what is read

void StanMath::validate_dims(Lines& out, const std::string& name, const SizedType& type) {
  validate_leaves(out, name, type, {});
}

void StanMath::validate_leaves(Lines& out, const std::string& path, const SizedType& type, std::vector<ExprPtr> dims) {
  dims.insert(dims.end(), type.array_dims.begin(), type.array_dims.end());
  if (type.base == BaseType::Tuple) {
    for (std::size_t i = 0; i < type.slots.size(); ++i)
      validate_leaves(out, path + "." + std::to_string(i + 1), type.slots[i], dims);
    return;
  }
  dims.insert(dims.end(), type.sizes.begin(), type.sizes.end());
  if (is_complex(type.base)) dims.push_back(int_lit(2));
  const std::string stage = part_ == Part::Constructor ? "data initialization" : "parameter initialization";
  Code line("context__.validate_dims(" + string_literal(stage) + ", " + string_literal(path) + ", ");
  line.open() << (type.base == BaseType::Int ? "\"int\"" : "\"double\"") << ", std::vector<std::size_t>{";
  for (std::size_t i = 0; i < dims.size(); ++i)
    enclosed(line, i == 0 ? "static_cast<std::size_t>(" : ", static_cast<std::size_t>(", *dims[i], ")");
  out << (line.close() << "});");
}

}  // namespace fermiac::codegen::stan_math
