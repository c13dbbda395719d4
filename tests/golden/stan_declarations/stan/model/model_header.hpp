// Declarations that stand in for the Stan headers, so that emitted text can be checked without them: what it names exists,
// templates parse, and what depends on no template parameter has the right types. Nothing has a body, and calls of library
// functions give a value of any type. Names of library functions come from a file that the test makes of the function table.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <complex>
#include <cstddef>
#include <iostream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace declared {
struct any {
  any() = default;
  template <typename T>
  operator T() const;
};
template <typename T>
any operator+(const any&, const T&);
template <typename T>
any operator-(const any&, const T&);
template <typename T>
any operator*(const any&, const T&);
template <typename T>
any operator/(const any&, const T&);
any operator-(const any&);
template <typename T, std::enable_if_t<!std::is_same<T, any>::value>* = nullptr>
any operator+(const T&, const any&);
template <typename T, std::enable_if_t<!std::is_same<T, any>::value>* = nullptr>
any operator-(const T&, const any&);
template <typename T, std::enable_if_t<!std::is_same<T, any>::value>* = nullptr>
any operator*(const T&, const any&);
template <typename T, std::enable_if_t<!std::is_same<T, any>::value>* = nullptr>
any operator/(const T&, const any&);
}  // namespace declared

namespace stan {
template <typename T>
struct is_var : std::false_type {};
template <typename T>
struct is_fvar : std::false_type {};
template <typename T>
struct is_complex : std::false_type {};
template <typename T>
struct is_complex<std::complex<T>> : std::true_type {};
template <typename T>
struct is_std_vector : std::false_type {};
template <typename T>
struct is_std_vector<std::vector<T>> : std::true_type {};
template <typename T, int R, int C>
struct is_matrix : std::false_type {};
template <typename S, int R, int C>
struct is_matrix<Eigen::Matrix<S, R, C>, R, C> : std::true_type {};
template <typename T>
using is_col_vector = is_matrix<T, -1, 1>;
template <typename T>
using is_row_vector = is_matrix<T, 1, -1>;
template <typename T>
using is_eigen_matrix_dynamic = is_matrix<T, -1, -1>;
template <typename T>
using value_type_t = typename std::decay_t<T>::value_type;
template <typename T>
using is_vt_complex = is_complex<value_type_t<T>>;
template <typename T>
using is_vt_not_complex = std::negation<is_vt_complex<T>>;
template <typename T, typename = void>
struct base_type {
  using type = T;
};
template <typename T>
struct base_type<T, std::void_t<typename T::value_type>> : base_type<typename T::value_type> {};
template <typename T>
using base_type_t = typename base_type<std::decay_t<T>>::type;
template <typename... T>
using return_type_t = std::common_type_t<double, T...>;
template <typename T>
using scalar_type_t = typename T::value_type;
template <typename... T>
using require_all_t = std::enable_if_t<std::conjunction<T...>::value>;
template <typename T>
using require_vector_like_t = std::enable_if_t<!std::is_scalar<T>::value>;
template <typename T>
using require_vector_t = require_vector_like_t<T>;
template <template <typename...> class Trait, typename T>
using require_vector_like_vt = std::enable_if_t<Trait<typename T::value_type>::value>;
template <template <typename...> class Trait, typename T>
using require_vector_vt = require_vector_like_vt<Trait, T>;
template <typename T>
using require_st_var = std::enable_if_t<is_var<T>::value>;
template <typename T>
using require_not_st_var = std::enable_if_t<!is_var<T>::value>;
using rng_t = int;

namespace math {
using declared::any;
template <typename... T>
using disjunction = std::disjunction<T...>;
template <typename T>
struct var_value {
  template <typename U>
  explicit var_value(const U&);
  var_value();
  ~var_value();  // here and below: not trivial, so that a compiler does not call a variable of it unused
};
template <typename T>
struct matrix_cl {
  void wait_for_read_write_events() const;
};
struct profile_map {};
template <typename T>
struct profile {
  profile(const char*, profile_map&);
};
template <typename T>
struct accumulator {
  ~accumulator();
  template <typename U>
  void add(const U&);
  T sum() const;
};
template <typename To, typename From>
any promote_scalar(const From&);
template <int Id, typename F, typename... Args>
any map_rect(const Args&...);
template <typename F, typename... Args>
any reduce_sum(const Args&...);
template <typename F, typename... Args>
any reduce_sum_static(const Args&...);
template <typename T>
any to_ref(const T&);
int divide(int, int);
template <typename A, typename B>
std::complex<double> to_complex(const A&, const B&);
template <typename T>
void stan_print(std::ostream*, const T&);
}  // namespace math

namespace io {
struct var_context {
  void validate_dims(const std::string&, const std::string&, const std::string&, const std::vector<std::size_t>&) const;
  std::vector<int> vals_i(const std::string&) const;
  std::vector<double> vals_r(const std::string&) const;
  std::vector<std::complex<double>> vals_c(const std::string&) const;
};
template <typename T>
struct deserializer {
  ~deserializer();
  template <typename R, typename I>
  deserializer(const R&, const I&);
  template <typename R, typename... Sizes>
  R read(const Sizes&...);
#define DECLARED_TRANSFORM(name)                 \
  template <typename R, bool J, typename... Args> \
  R read_constrain_##name(const Args&...);
  DECLARED_TRANSFORM(lb)
  DECLARED_TRANSFORM(ub)
  DECLARED_TRANSFORM(lub)
  DECLARED_TRANSFORM(offset_multiplier)
  DECLARED_TRANSFORM(ordered)
  DECLARED_TRANSFORM(positive_ordered)
  DECLARED_TRANSFORM(simplex)
  DECLARED_TRANSFORM(unit_vector)
  DECLARED_TRANSFORM(sum_to_zero)
  DECLARED_TRANSFORM(cholesky_factor_corr)
  DECLARED_TRANSFORM(cholesky_factor_cov)
  DECLARED_TRANSFORM(corr_matrix)
  DECLARED_TRANSFORM(cov_matrix)
  DECLARED_TRANSFORM(stochastic_row)
  DECLARED_TRANSFORM(stochastic_column)
#undef DECLARED_TRANSFORM
};
template <typename T>
struct serializer {
  ~serializer();
  template <typename R>
  explicit serializer(R&);
  template <typename U>
  void write(const U&);
#define DECLARED_TRANSFORM(name) \
  template <typename... Args>    \
  void write_free_##name(const Args&...);
  DECLARED_TRANSFORM(lb)
  DECLARED_TRANSFORM(ub)
  DECLARED_TRANSFORM(lub)
  DECLARED_TRANSFORM(offset_multiplier)
  DECLARED_TRANSFORM(ordered)
  DECLARED_TRANSFORM(positive_ordered)
  DECLARED_TRANSFORM(simplex)
  DECLARED_TRANSFORM(unit_vector)
  DECLARED_TRANSFORM(sum_to_zero)
  DECLARED_TRANSFORM(cholesky_factor_corr)
  DECLARED_TRANSFORM(cholesky_factor_cov)
  DECLARED_TRANSFORM(corr_matrix)
  DECLARED_TRANSFORM(cov_matrix)
  DECLARED_TRANSFORM(stochastic_row)
  DECLARED_TRANSFORM(stochastic_column)
#undef DECLARED_TRANSFORM
};
}  // namespace io

namespace model {
struct index_uni {
  explicit index_uni(int);
};
struct index_multi {
  explicit index_multi(const std::vector<int>&);
};
struct index_omni {};
struct index_min {
  explicit index_min(int);
};
struct index_min_max {
  index_min_max(int, int);
};
template <typename T, typename... Index>
declared::any rvalue(const T&, const char*, const Index&...);
template <typename T>
T& rvalue(std::vector<T>&, const char*, const index_uni&);
template <typename T>
const T& rvalue(const std::vector<T>&, const char*, const index_uni&);
template <typename L, typename R, typename... Index>
void assign(L&&, const R&, const char*, const Index&...);
template <typename T>
T deep_copy(const T&);

class model_base {
 public:
  explicit model_base(std::size_t n) : num_params_r__(n) {}
  virtual ~model_base();
  virtual std::string model_name() const = 0;
  virtual std::vector<std::string> model_compile_info() const = 0;
  virtual void get_param_names(std::vector<std::string>&, bool = true, bool = true) const = 0;
  virtual void get_dims(std::vector<std::vector<std::size_t>>&, bool = true, bool = true) const = 0;
  virtual void constrained_param_names(std::vector<std::string>&, bool = true, bool = true) const = 0;
  virtual void unconstrained_param_names(std::vector<std::string>&, bool = true, bool = true) const = 0;
  virtual void transform_inits(const io::var_context&, Eigen::Matrix<double, -1, 1>&, std::ostream* = nullptr) const = 0;
  virtual void transform_inits(const io::var_context&, std::vector<int>&, std::vector<double>&, std::ostream* = nullptr) const = 0;

 protected:
  std::size_t num_params_r__;
};
template <typename M>
class model_base_crtp : public model_base {
 public:
  explicit model_base_crtp(std::size_t n) : model_base(n) {}
};
}  // namespace model

namespace lang {
void rethrow_located(const std::exception&, const char*);
}
namespace services {
namespace util {
int create_rng(unsigned int, unsigned int);
}
}  // namespace services
}  // namespace stan

#define STAN_REGISTER_MAP_RECT(id, functor)
#include "library_names.hpp"
