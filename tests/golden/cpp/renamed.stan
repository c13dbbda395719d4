// RUN: %s
// WHY: some library functions have other names there
// SHOW: log_prob
data {
  int n;
}
parameters {
  real a;
  vector[3] v;
}
transformed parameters {
  real b = lower_bound_jacobian(a, 1.5);
}
model {
  target += lmultiply(a, 2) + lchoose(n, 2) + std_normal_qf(0.5) + size(v) + positive_infinity();
  target += sum(simplex_constrain(v)) + upper_bound_unconstrain(a, 3);
}
//|log_prob
//|       [[maybe_unused]] auto a = in__.template read<local_scalar_t__>();
//|       auto v = in__.template read<Eigen::Matrix<local_scalar_t__,-1,1>>(3);
//|       [[maybe_unused]] local_scalar_t__ b = DUMMY_VAR__;
//|       b = stan::math::lb_constrain<jacobian__>(a, 1.5, lp__);
//|       {
//|         lp_accum__.add((stan::math::multiply_log(a, 2) + stan::math::binomial_coefficient_log(
//|                         n, 2) + stan::math::inv_Phi(0.5)
//|                         + static_cast<double>(static_cast<int>(stan::math::size(v)))
//|                         + stan::math::positive_infinity()));
//|         lp_accum__.add((stan::math::sum(stan::math::simplex_constrain(v)) + stan::math::ub_free(a, 3.0)));
//|       }
