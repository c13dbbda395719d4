// RUN: %s
// WHY: a covariance function of the library is an object, too; the header of second derivatives comes first
// SHOW: functions log_prob
functions {
  real lik(vector theta, data array[] int y) {
    return poisson_log_lpmf(y | theta);
  }
}
data {
  int N;
  array[N] int y;
  array[N] vector[1] x;
}
parameters {
  real<lower=0> a;
  real<lower=0> r;
}
model {
  target += laplace_marginal(lik, (y, ), 1, gp_exp_quad_cov, (x, a, r));
}
//|functions
//|
//| template <typename T0__, stan::require_all_t<stan::is_col_vector<T0__>, stan::is_vt_not_complex<T0__>>* = nullptr>
//| stan::return_type_t<stan::base_type_t<T0__>> lik(const T0__& theta_arg__, const std::vector<int>& y,
//|                                                  std::ostream* pstream__);
//|
//| struct gp_exp_quad_cov_functor__ {
//|   template <typename T0__, typename T1__, typename T2__>
//|   auto operator()(const T0__& x0__, const T1__& x1__, const T2__& x2__, std::ostream*) const {
//|     return stan::math::eval(stan::math::gp_exp_quad_cov(x0__, x1__, x2__));
//|   }
//| };
//|
//| struct lik_functor__ {
//|   template <typename T0__, stan::require_all_t<stan::is_col_vector<T0__>, stan::is_vt_not_complex<T0__>>* = nullptr>
//|   stan::return_type_t<stan::base_type_t<T0__>> operator()(const T0__& theta, const std::vector<int>& y,
//|                                                           std::ostream* pstream__) const {
//|     return laplace_model_namespace::lik(theta, y, pstream__);
//|   }
//| };
//|
//| template <typename T0__, stan::require_all_t<stan::is_col_vector<T0__>, stan::is_vt_not_complex<T0__>>*>
//| stan::return_type_t<stan::base_type_t<T0__>> lik(const T0__& theta_arg__, const std::vector<int>& y,
//|                                                  std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<stan::base_type_t<T0__>>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   const auto& theta = stan::math::to_ref(theta_arg__);
//|   (void)theta;
//|   (void)y;
//|   try {
//|     return stan::math::poisson_log_lpmf<false>(y, theta);
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|log_prob
//|       [[maybe_unused]] auto a = in__.template read_constrain_lb<local_scalar_t__, jacobian__>(0, lp__);
//|       [[maybe_unused]] auto r = in__.template read_constrain_lb<local_scalar_t__, jacobian__>(0, lp__);
//|       {
//|         lp_accum__.add(stan::math::laplace_marginal(lik_functor__(), std::forward_as_tuple(
//|                                                     y), 1, gp_exp_quad_cov_functor__(),
//|                                                     std::forward_as_tuple(x, a, r), pstream__));
//|       }
