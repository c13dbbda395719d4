// RUN: %s
// WHY: arguments are constrained template parameters, the result has the type that all of them promote to
// SHOW: functions
functions {
  real f(real x, vector v, data real d, array[] int n, tuple(real, row_vector) t) {
    return x + sum(v) * d + n[1] + t.1;
  }
  vector same(vector v, real s) {
    return v;
  }
  int count(data array[] vector x) {
    for (i in 1 : size(x)) return i;
  }
  void note(complex z) {
    print(z);
  }
}
transformed data {
  real x = f(1, [1]', 2, {3}, (1, [2]));
}
//|functions
//|
//| template <typename T0__, typename T1__, typename T3__, typename T4__, stan::require_all_t<is_real__<T0__>, stan::is_col_vector<T1__>, stan::is_vt_not_complex<T1__>, stan::is_std_vector<T3__>, is_int__<stan::value_type_t<T3__>>, is_tup__<T4__, 2>, is_real__<elt__<0, T4__>>, stan::is_row_vector<elt__<1, T4__>>, stan::is_vt_not_complex<elt__<1, T4__>>>* = nullptr>
//| stan::return_type_t<T0__, stan::base_type_t<T1__>, elt__<0, T4__>, stan::base_type_t<elt__<1, T4__>>> f(
//|     const T0__& x, const T1__& v_arg__, const double& d, const T3__& n, const T4__& t,
//|     std::ostream* pstream__);
//| template <typename T0__, typename T1__, stan::require_all_t<stan::is_col_vector<T0__>, stan::is_vt_not_complex<T0__>, is_real__<T1__>>* = nullptr>
//| Eigen::Matrix<stan::return_type_t<stan::base_type_t<T0__>, T1__>,-1,1> same(const T0__& v_arg__,
//|                                                                             const T1__& s,
//|                                                                             std::ostream* pstream__);
//| inline
//| int count(const std::vector<Eigen::Matrix<double,-1,1>>& x, std::ostream* pstream__);
//| template <typename T0__, stan::require_all_t<stan::is_complex<T0__>, is_real__<stan::base_type_t<T0__>>>* = nullptr>
//| void note(const T0__& z, std::ostream* pstream__);
//|
//| template <typename T0__, typename T1__, typename T3__, typename T4__, stan::require_all_t<is_real__<T0__>, stan::is_col_vector<T1__>, stan::is_vt_not_complex<T1__>, stan::is_std_vector<T3__>, is_int__<stan::value_type_t<T3__>>, is_tup__<T4__, 2>, is_real__<elt__<0, T4__>>, stan::is_row_vector<elt__<1, T4__>>, stan::is_vt_not_complex<elt__<1, T4__>>>*>
//| stan::return_type_t<T0__, stan::base_type_t<T1__>, elt__<0, T4__>, stan::base_type_t<elt__<1, T4__>>> f(
//|     const T0__& x, const T1__& v_arg__, const double& d, const T3__& n, const T4__& t,
//|     std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<T0__, stan::base_type_t<T1__>, elt__<0, T4__>, stan::base_type_t<elt__<1, T4__>>>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)x;
//|   const auto& v = stan::math::to_ref(v_arg__);
//|   (void)v;
//|   (void)d;
//|   (void)n;
//|   (void)t;
//|   try {
//|     return (x + (stan::math::sum(v) * d)
//|             + static_cast<double>(stan::model::rvalue(n, "n", stan::model::index_uni(1))) + std::get<0>(t));
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|
//| template <typename T0__, typename T1__, stan::require_all_t<stan::is_col_vector<T0__>, stan::is_vt_not_complex<T0__>, is_real__<T1__>>*>
//| Eigen::Matrix<stan::return_type_t<stan::base_type_t<T0__>, T1__>,-1,1> same(const T0__& v_arg__,
//|                                                                             const T1__& s,
//|                                                                             std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<stan::base_type_t<T0__>, T1__>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   const auto& v = stan::math::to_ref(v_arg__);
//|   (void)v;
//|   (void)s;
//|   try {
//|     return stan::math::promote_scalar<local_scalar_t__>(v);
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|
//| inline
//| int count(const std::vector<Eigen::Matrix<double,-1,1>>& x, std::ostream* pstream__) {
//|   using local_scalar_t__ = double;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)x;
//|   try {
//|     for (int i = 1; i <= static_cast<int>(stan::math::size(x)); ++i) {
//|       return i;
//|     }
//|     throw std::domain_error("count: the end was reached without a return");
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|
//| template <typename T0__, stan::require_all_t<stan::is_complex<T0__>, is_real__<stan::base_type_t<T0__>>>*>
//| void note(const T0__& z, std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<stan::base_type_t<T0__>>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)z;
//|   try {
//|     if (pstream__) {
//|       stan::math::stan_print(pstream__, z);
//|       *(pstream__) << std::endl;
//|     }
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|   }
//| }
