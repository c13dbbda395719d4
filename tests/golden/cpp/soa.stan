// RUN: --O1 %s
// WHY: containers that allow it have one adjoint for all their numbers, in the reverse mode body alone
// SHOW: log_prob reverse
data {
  int N;
  matrix[N, 2] X;
  vector[N] y;
}
parameters {
  vector[2] b;
  real a;
}
model {
  vector[N] mu = X * b + rep_vector(a, N);
  y ~ normal(mu, 1);
}
//|log_prob
//|       auto b = in__.template read<Eigen::Matrix<local_scalar_t__,-1,1>>(2);
//|       [[maybe_unused]] auto a = in__.template read<local_scalar_t__>();
//|       {
//|         stan::math::validate_non_negative_index("mu", "N", N);
//|         Eigen::Matrix<local_scalar_t__,-1,1> mu;
//|         stan::model::assign(mu, stan::math::add(stan::math::multiply(X, b), stan::math::rep_vector(a, N)),
//|                             "assigning variable mu");
//|         lp_accum__.add(stan::math::normal_lpdf<propto__>(y, mu, 1.0));
//|       }
//|reverse
//|       auto b = in__.template read<stan::math::var_value<Eigen::Matrix<double,-1,1>>>(2);
//|       [[maybe_unused]] auto a = in__.template read<local_scalar_t__>();
//|       {
//|         stan::math::validate_non_negative_index("mu", "N", N);
//|         stan::math::var_value<Eigen::Matrix<double,-1,1>> mu;
//|         stan::model::assign(mu,
//|                             stan::math::add(stan::math::multiply(X, b),
//|                                             stan::math::rep_vector<stan::math::var_value<Eigen::Matrix<double,-1,1>>>(
//|                                             a, N)), "assigning variable mu");
//|         lp_accum__.add(stan::math::normal_lpdf<propto__>(y, mu, 1.0));
//|       }
