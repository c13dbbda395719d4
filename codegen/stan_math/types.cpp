#include "codegen/stan_math/types.h"

#include <fmt/format.h>

#include "support/base/check.h"

namespace fermiac::codegen::stan_math {
namespace {

std::string tuple_text(const Type& type, const AdLevel& level, std::string_view autodiff,
                       std::string (*slot)(const Type&, const AdLevel&, std::string_view)) {
  std::string out;
  for (std::size_t i = 0; i < type.slots().size(); ++i)
    out += (i == 0 ? "" : ", ") + slot(type.slots()[i], slot_level(level, i), autodiff);
  return "std::tuple<" + out + ">";
}

std::string element_text(const Type& type, const AdLevel& level, std::string_view autodiff) {
  if (type.base() == BaseType::Tuple) return tuple_text(type, level, autodiff, type_text);
  const std::string scalar = scalar_text(type, level, autodiff);
  return is_eigen(type.base()) ? fmt::format("Eigen::Matrix<{},{}>", scalar, eigen_extents(type.base())) : scalar;
}

std::string nested(std::string element, int arrays) {
  for (int i = 0; i < arrays; ++i) element = "std::vector<" + element + ">";
  return element;
}

}  // namespace

const AdLevel& slot_level(const AdLevel& level, std::size_t i) {
  return level.slots.empty() ? level : level.slots[i];
}

bool same_scalars(const Type& type, const AdLevel& a, const AdLevel& b) {
  if (type.base() != BaseType::Tuple) return type.is_discrete() || a.any() == b.any();
  for (std::size_t i = 0; i < type.slots().size(); ++i)
    if (!same_scalars(type.slots()[i], slot_level(a, i), slot_level(b, i))) return false;
  return true;
}

bool is_eigen(BaseType base) {
  return !eigen_extents(base).empty();
}

bool is_eigen(const Type& type) {
  return !type.is_array() && is_eigen(type.base());
}

std::string_view eigen_extents(BaseType base) {
  switch (base) {
    case BaseType::Vector:
    case BaseType::ComplexVector:
      return "-1,1";
    case BaseType::RowVector:
    case BaseType::ComplexRowVector:
      return "1,-1";
    case BaseType::Matrix:
    case BaseType::ComplexMatrix:
      return "-1,-1";
    default:
      return "";
  }
}

std::string scalar_text(const Type& type, const AdLevel& level, std::string_view autodiff) {
  if (type.base() == BaseType::Tuple) return tuple_text(type, level, autodiff, scalar_text);
  if (type.base() == BaseType::Int) return "int";
  const std::string_view real = level.any() ? autodiff : "double";
  return is_complex(type.base()) ? fmt::format("std::complex<{}>", real) : std::string(real);
}

std::string type_text(const Type& type, const AdLevel& level, std::string_view autodiff) {
  return nested(element_text(type, level, autodiff), type.array_dims());
}

std::string soa_type_text(const Type& type) {
  FERMIAC_CHECK(is_eigen(type.base()), "only containers have one adjoint for all");
  return nested(fmt::format("stan::math::var_value<Eigen::Matrix<double,{}>>", eigen_extents(type.base())),
                type.array_dims());
}

}  // namespace fermiac::codegen::stan_math
