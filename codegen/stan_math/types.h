// How types of the language are spelled for Stan Math.
#pragma once

#include <string>
#include <string_view>

#include "frontend/types.h"

namespace fermiac::codegen::stan_math {

inline constexpr std::string_view kLocalScalar = "local_scalar_t__";
inline constexpr std::string_view kNan = "std::numeric_limits<double>::quiet_NaN()";

/// Vectors, row vectors and matrices, of complex numbers too; arrays of them are not.
bool is_eigen(const Type& type);
bool is_eigen(BaseType base);
inline bool is_int(const Type& type) {
  return type.is(BaseType::Int);
}

/// `std::vector<Eigen::Matrix<double,-1,1>>`: numbers that carry derivatives are `autodiff`.
std::string type_text(const Type& type, const AdLevel& level, std::string_view autodiff = kLocalScalar);
/// Of slot `i`: levels of tuples as wholes are those of each slot.
const AdLevel& slot_level(const AdLevel& level, std::size_t i);
/// Whether a value of the type has the same scalars at two levels.
bool same_scalars(const Type& type, const AdLevel& a, const AdLevel& b);
/// The scalar inside: `double`, `std::complex<local_scalar_t__>`, `int`, a tuple of such.
std::string scalar_text(const Type& type, const AdLevel& level, std::string_view autodiff = kLocalScalar);
/// One object with one adjoint for a whole container, or arrays of such.
std::string soa_type_text(const Type& type);

/// `-1,1`: rows and columns at compile time.
std::string_view eigen_extents(BaseType base);

}  // namespace fermiac::codegen::stan_math
