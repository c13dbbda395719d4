// RUN: %s
// WHY: functions that are handed on become objects; the stream stands where the library wants it
// SHOW: functions log_prob
functions {
  vector rhs(real t, vector y, real k) {
    return -k * y;
  }
  vector root(vector x, real a) {
    return x - a;
  }
  real part_lpdf(array[] real s, int start, int end, real m) {
    return normal_lupdf(s | m, 1);
  }
  vector job(vector phi, vector theta, array[] real xr, array[] int xi) {
    return phi + theta;
  }
}
data {
  array[2] real y;
  array[2, 1] real xr;
  array[2, 1] int xi;
}
parameters {
  real k;
  vector[1] y0;
  array[2] vector[1] th;
}
model {
  target += sum(ode_rk45(rhs, y0, 0, y, k)[2]);
  target += sum(ode_bdf_tol(rhs, y0, 0, y, 1e-6, 1e-6, 100, k)[2]);
  target += sum(solve_newton(root, y0, k));
  target += reduce_sum(part_lupdf, y, 1, k);
  target += reduce_sum(part_lpdf, y, 1, k);
  target += sum(map_rect(job, y0, th, xr, xi));
}
//|functions
//|
//| template <typename T0__, typename T1__, typename T2__, stan::require_all_t<is_real__<T0__>, stan::is_col_vector<T1__>, stan::is_vt_not_complex<T1__>, is_real__<T2__>>* = nullptr>
//| Eigen::Matrix<stan::return_type_t<T0__, stan::base_type_t<T1__>, T2__>,-1,1> rhs(
//|     const T0__& t, const T1__& y_arg__, const T2__& k, std::ostream* pstream__);
//| template <typename T0__, typename T1__, stan::require_all_t<stan::is_col_vector<T0__>, stan::is_vt_not_complex<T0__>, is_real__<T1__>>* = nullptr>
//| Eigen::Matrix<stan::return_type_t<stan::base_type_t<T0__>, T1__>,-1,1> root(const T0__& x_arg__,
//|                                                                             const T1__& a,
//|                                                                             std::ostream* pstream__);
//| template <bool propto__, typename T0__, typename T1__, typename T2__, typename T3__, stan::require_all_t<stan::is_std_vector<T0__>, is_real__<stan::value_type_t<T0__>>, is_int__<T1__>, is_int__<T2__>, is_real__<T3__>>* = nullptr>
//| stan::return_type_t<stan::base_type_t<T0__>, T3__> part_lpdf(const T0__& s, const T1__& start,
//|                                                              const T2__& end, const T3__& m,
//|                                                              std::ostream* pstream__);
//| template <typename T0__, typename T1__, typename T2__, typename T3__, stan::require_all_t<stan::is_col_vector<T0__>, stan::is_vt_not_complex<T0__>, stan::is_col_vector<T1__>, stan::is_vt_not_complex<T1__>, stan::is_std_vector<T2__>, is_real__<stan::value_type_t<T2__>>, stan::is_std_vector<T3__>, is_int__<stan::value_type_t<T3__>>>* = nullptr>
//| Eigen::Matrix<stan::return_type_t<stan::base_type_t<T0__>, stan::base_type_t<T1__>, stan::base_type_t<T2__>>,-1,1> job(
//|     const T0__& phi_arg__, const T1__& theta_arg__, const T2__& xr, const T3__& xi, std::ostream* pstream__);
//|
//| struct job_functor__ {
//|   template <typename T0__, typename T1__, typename T2__, typename T3__, stan::require_all_t<stan::is_col_vector<T0__>, stan::is_vt_not_complex<T0__>, stan::is_col_vector<T1__>, stan::is_vt_not_complex<T1__>, stan::is_std_vector<T2__>, is_real__<stan::value_type_t<T2__>>, stan::is_std_vector<T3__>, is_int__<stan::value_type_t<T3__>>>* = nullptr>
//|   Eigen::Matrix<stan::return_type_t<stan::base_type_t<T0__>, stan::base_type_t<T1__>, stan::base_type_t<T2__>>,-1,1> operator()(
//|       const T0__& phi, const T1__& theta, const T2__& xr, const T3__& xi, std::ostream* pstream__) const {
//|     return callbacks_model_namespace::job(phi, theta, xr, xi, pstream__);
//|   }
//| };
//|
//| template <bool propto__>
//| struct part_lpdf_rsfunctor__ {
//|   template <typename T0__, typename T1__, typename T2__, typename T3__, stan::require_all_t<stan::is_std_vector<T0__>, is_real__<stan::value_type_t<T0__>>, is_int__<T1__>, is_int__<T2__>, is_real__<T3__>>* = nullptr>
//|   stan::return_type_t<stan::base_type_t<T0__>, T3__> operator()(const T0__& s, const T1__& start,
//|                                                                 const T2__& end, std::ostream* pstream__,
//|                                                                 const T3__& m) const {
//|     return callbacks_model_namespace::part_lpdf<propto__>(s, static_cast<int>(start) + 1,
//|                                                           static_cast<int>(end) + 1, m, pstream__);
//|   }
//| };
//|
//| struct rhs_variadic2_functor__ {
//|   template <typename T0__, typename T1__, typename T2__, stan::require_all_t<is_real__<T0__>, stan::is_col_vector<T1__>, stan::is_vt_not_complex<T1__>, is_real__<T2__>>* = nullptr>
//|   Eigen::Matrix<stan::return_type_t<T0__, stan::base_type_t<T1__>, T2__>,-1,1> operator()(
//|       const T0__& t, const T1__& y, std::ostream* pstream__, const T2__& k) const {
//|     return callbacks_model_namespace::rhs(t, y, k, pstream__);
//|   }
//| };
//|
//| struct root_variadic1_functor__ {
//|   template <typename T0__, typename T1__, stan::require_all_t<stan::is_col_vector<T0__>, stan::is_vt_not_complex<T0__>, is_real__<T1__>>* = nullptr>
//|   Eigen::Matrix<stan::return_type_t<stan::base_type_t<T0__>, T1__>,-1,1> operator()(
//|       const T0__& x, std::ostream* pstream__, const T1__& a) const {
//|     return callbacks_model_namespace::root(x, a, pstream__);
//|   }
//| };
//|
//| template <typename T0__, typename T1__, typename T2__, stan::require_all_t<is_real__<T0__>, stan::is_col_vector<T1__>, stan::is_vt_not_complex<T1__>, is_real__<T2__>>*>
//| Eigen::Matrix<stan::return_type_t<T0__, stan::base_type_t<T1__>, T2__>,-1,1> rhs(
//|     const T0__& t, const T1__& y_arg__, const T2__& k, std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<T0__, stan::base_type_t<T1__>, T2__>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)t;
//|   const auto& y = stan::math::to_ref(y_arg__);
//|   (void)y;
//|   (void)k;
//|   try {
//|     return stan::math::promote_scalar<local_scalar_t__>(stan::math::multiply((-k), y));
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|
//| template <typename T0__, typename T1__, stan::require_all_t<stan::is_col_vector<T0__>, stan::is_vt_not_complex<T0__>, is_real__<T1__>>*>
//| Eigen::Matrix<stan::return_type_t<stan::base_type_t<T0__>, T1__>,-1,1> root(const T0__& x_arg__,
//|                                                                             const T1__& a,
//|                                                                             std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<stan::base_type_t<T0__>, T1__>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   const auto& x = stan::math::to_ref(x_arg__);
//|   (void)x;
//|   (void)a;
//|   try {
//|     return stan::math::promote_scalar<local_scalar_t__>(stan::math::subtract(x, a));
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|
//| template <bool propto__, typename T0__, typename T1__, typename T2__, typename T3__, stan::require_all_t<stan::is_std_vector<T0__>, is_real__<stan::value_type_t<T0__>>, is_int__<T1__>, is_int__<T2__>, is_real__<T3__>>*>
//| stan::return_type_t<stan::base_type_t<T0__>, T3__> part_lpdf(const T0__& s, const T1__& start,
//|                                                              const T2__& end, const T3__& m,
//|                                                              std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<stan::base_type_t<T0__>, T3__>;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)s;
//|   (void)start;
//|   (void)end;
//|   (void)m;
//|   try {
//|     return stan::math::normal_lpdf<propto__>(s, m, 1.0);
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|
//| template <typename T0__, typename T1__, typename T2__, typename T3__, stan::require_all_t<stan::is_col_vector<T0__>, stan::is_vt_not_complex<T0__>, stan::is_col_vector<T1__>, stan::is_vt_not_complex<T1__>, stan::is_std_vector<T2__>, is_real__<stan::value_type_t<T2__>>, stan::is_std_vector<T3__>, is_int__<stan::value_type_t<T3__>>>*>
//| Eigen::Matrix<stan::return_type_t<stan::base_type_t<T0__>, stan::base_type_t<T1__>, stan::base_type_t<T2__>>,-1,1> job(
//|     const T0__& phi_arg__, const T1__& theta_arg__, const T2__& xr, const T3__& xi, std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<stan::base_type_t<T0__>, stan::base_type_t<T1__>, stan::base_type_t<T2__>>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   const auto& phi = stan::math::to_ref(phi_arg__);
//|   (void)phi;
//|   const auto& theta = stan::math::to_ref(theta_arg__);
//|   (void)theta;
//|   (void)xr;
//|   (void)xi;
//|   try {
//|     return stan::math::promote_scalar<local_scalar_t__>(stan::math::add(phi, theta));
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|log_prob
//|       [[maybe_unused]] auto k = in__.template read<local_scalar_t__>();
//|       auto y0 = in__.template read<Eigen::Matrix<local_scalar_t__,-1,1>>(1);
//|       auto th = in__.template read<std::vector<Eigen::Matrix<local_scalar_t__,-1,1>>>(2, 1);
//|       {
//|         lp_accum__.add(stan::math::sum(stan::model::rvalue(stan::math::ode_rk45(rhs_variadic2_functor__(), y0,
//|                                                                                 0.0, y, pstream__, k),
//|                                                            "ode_rk45(rhs, y0, promote(0, real, data), y, k)",
//|                                                            stan::model::index_uni(2))));
//|         lp_accum__.add(stan::math::sum(stan::model::rvalue(stan::math::ode_bdf_tol(
//|                                                            rhs_variadic2_functor__(), y0, 0.0, y, 1e-6, 1e-6,
//|                                                            100, pstream__, k),
//|                                                            "ode_bdf_tol(rhs, y0, promote(0, real, data), y, 1e-6, 1e-6, 100, k)",
//|                                                            stan::model::index_uni(2))));
//|         lp_accum__.add(stan::math::sum(stan::math::solve_newton(root_variadic1_functor__(), y0, pstream__, k)));
//|         lp_accum__.add(stan::math::reduce_sum<part_lpdf_rsfunctor__<propto__>>(y, 1, pstream__, k));
//|         lp_accum__.add(stan::math::reduce_sum<part_lpdf_rsfunctor__<false>>(y, 1, pstream__, k));
//|         lp_accum__.add(stan::math::sum(stan::math::map_rect<1, job_functor__>(y0, th, xr, xi, pstream__)));
//|       }
