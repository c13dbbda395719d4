#include "codegen/stan_math/signature.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "codegen/names.h"
#include "codegen/stan_math/types.h"
#include "mir/ir/build.h"
#include "support/base/check.h"

namespace fermiac::codegen::stan_math {
namespace {

/// Marked data and without containers of Eigen's or tuples at the top: one type will do.
bool is_fixed(const mir::FunctionArg& a) {
  if (!a.data_only || a.type.base() == BaseType::Tuple) return false;
  return a.type.is_array() || a.type.is_scalar();
}

std::string_view shape_trait(BaseType base) {
  switch (base) {
    case BaseType::Vector:
    case BaseType::ComplexVector:
      return "stan::is_col_vector";
    case BaseType::RowVector:
    case BaseType::ComplexRowVector:
      return "stan::is_row_vector";
    case BaseType::Matrix:
    case BaseType::ComplexMatrix:
      return "stan::is_eigen_matrix_dynamic";
    default:
      break;
  }
  FERMIAC_CHECK(false, "only containers have a shape");
}

}  // namespace

Signature::Signature(const mir::Function& function, bool mixes_target) : function_(function) {
  for (std::size_t i = 0; i < function.args.size(); ++i) {
    const mir::FunctionArg& a = function.args[i];
    Parameter p{variable_id(a.name), "", false};
    if (is_fixed(a)) {
      p.type = type_text(a.type, {});
    } else {
      p.type = fmt::format("T{}__", i);
      p.to_ref = is_eigen(a.type);
      template_parameters_.push_back(p.type);
      constrain(p.type, a.type);
      promote(p.type, a.type);
    }
    parameters_.push_back(std::move(p));
  }
  if (mixes_target) scalars_.emplace_back("T_lp__");
  scalar_ = scalars_.empty() ? "double" : fmt::format("stan::return_type_t<{}>", fmt::join(scalars_, ", "));
}

void Signature::constrain(const std::string& t, const Type& type) {
  if (type.is_array()) {
    constraints_.push_back(fmt::format("stan::is_std_vector<{}>", t));
    return constrain(fmt::format("stan::value_type_t<{}>", t), type.element());
  }
  if (type.base() == BaseType::Tuple) {
    constraints_.push_back(fmt::format("is_tup__<{}, {}>", t, type.slots().size()));
    for (std::size_t i = 0; i < type.slots().size(); ++i)
      constrain(fmt::format("elt__<{}, {}>", i, t), type.slots()[i]);
  } else if (type.base() == BaseType::Int) {
    constraints_.push_back(fmt::format("is_int__<{}>", t));
  } else if (type.base() == BaseType::Real) {
    constraints_.push_back(fmt::format("is_real__<{}>", t));
  } else if (type.is(BaseType::Complex)) {
    constraints_.push_back(fmt::format("stan::is_complex<{}>", t));
    constraints_.push_back(fmt::format("is_real__<stan::base_type_t<{}>>", t));
  } else {
    constraints_.push_back(fmt::format("{}<{}>", shape_trait(type.base()), t));
    constraints_.push_back(
        fmt::format("stan::{}<{}>", is_complex(type.base()) ? "is_vt_complex" : "is_vt_not_complex", t));
  }
}

void Signature::promote(const std::string& t, const Type& type) {
  if (type.base() == BaseType::Int) return;
  if (type.base() == BaseType::Tuple) {
    std::string tuple = t;
    for (int i = 0; i < type.array_dims(); ++i) tuple = fmt::format("stan::value_type_t<{}>", tuple);
    for (std::size_t i = 0; i < type.slots().size(); ++i)
      promote(fmt::format("elt__<{}, {}>", i, tuple), type.slots()[i]);
    return;
  }
  scalars_.push_back(type.is(BaseType::Real) ? t : fmt::format("stan::base_type_t<{}>", t));
}

std::string Signature::flag() const {
  switch (function_.suffix) {
    case Suffix::Lpdf:
    case Suffix::Lpmf:
    case Suffix::Target:
      return "propto__";
    case Suffix::Jacobian:
      return "jacobian__";
    default:
      return "";
  }
}

std::string Signature::head(bool first, bool with_flag) const {
  std::vector<std::string> all;
  if (with_flag && !flag().empty()) all.push_back("bool " + flag());
  for (const std::string& t : template_parameters_) all.push_back("typename " + t);
  if (function_.suffix == Suffix::Rng) all.emplace_back("typename RNG__");
  if (function_.suffix == Suffix::Target || function_.suffix == Suffix::Jacobian)
    all.insert(all.end(), {"typename T_lp__", "typename T_lp_accum__"});
  if (!constraints_.empty())
    all.push_back(fmt::format("stan::require_all_t<{}>*{}", fmt::join(constraints_, ", "), first ? " = nullptr" : ""));
  return all.empty() ? "" : fmt::format("template <{}>", fmt::join(all, ", "));
}

std::string Signature::result() const {
  if (!function_.result) return "void";
  return type_text(*function_.result, mir::uniform_level(*function_.result, true), scalar_);
}

std::vector<std::string> Signature::extra_parameters() const {
  switch (function_.suffix) {
    case Suffix::Rng:
      return {"RNG__& base_rng__", "std::ostream* pstream__"};
    case Suffix::Target:
    case Suffix::Jacobian:
      return {"T_lp__& lp__", "T_lp_accum__& lp_accum__", "std::ostream* pstream__"};
    default:
      return {"std::ostream* pstream__"};
  }
}

std::vector<std::string> Signature::extra_arguments() const {
  switch (function_.suffix) {
    case Suffix::Rng:
      return {"base_rng__", "pstream__"};
    case Suffix::Target:
    case Suffix::Jacobian:
      return {"lp__", "lp_accum__", "pstream__"};
    default:
      return {"pstream__"};
  }
}

}  // namespace fermiac::codegen::stan_math
