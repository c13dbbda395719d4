// RUN: --use-opencl %s
// WHY: arguments of densities that a device knows are copied there, data once
// SHOW: members constructor log_prob
data {
  int N;
  vector[N] y;
  array[N] int n;
}
parameters {
  real a;
  vector[N] v;
}
model {
  y ~ normal(v, a);
  n ~ poisson(exp(y));
  v ~ std_normal();
}
//|members
//|   int N = std::numeric_limits<int>::min();
//|   Eigen::Matrix<double,-1,1> y_data__;
//|   Eigen::Map<Eigen::Matrix<double,-1,1>> y{nullptr, 0};
//|   stan::math::matrix_cl<double> y_opencl__;
//|   std::vector<int> n;
//|   stan::math::matrix_cl<int> n_opencl__;
//|constructor
//|       [[maybe_unused]] int pos__ = std::numeric_limits<int>::min();
//|       pos__ = 1;
//|       context__.validate_dims("data initialization", "N", "int", std::vector<std::size_t>{});
//|       N = std::numeric_limits<int>::min();
//|       N = context__.vals_i("N")[0];
//|       stan::math::validate_non_negative_index("y", "N", N);
//|       context__.validate_dims("data initialization", "y", "double", std::vector<std::size_t>{static_cast<std::size_t>(N)});
//|       y_data__ = Eigen::Matrix<double,-1,1>::Constant(N, std::numeric_limits<double>::quiet_NaN());
//|       new (&y) Eigen::Map<Eigen::Matrix<double,-1,1>>(y_data__.data(), N);
//|       {
//|         std::vector<local_scalar_t__> y_flat__;
//|         y_flat__ = context__.vals_r("y");
//|         pos__ = 1;
//|         for (int sym1__ = 1; sym1__ <= N; ++sym1__) {
//|           stan::model::assign(y, stan::model::rvalue(y_flat__, "y_flat__", stan::model::index_uni(pos__)),
//|                               "assigning variable y", stan::model::index_uni(sym1__));
//|           pos__ = (pos__ + 1);
//|         }
//|       }
//|       stan::math::validate_non_negative_index("n", "N", N);
//|       context__.validate_dims("data initialization", "n", "int", std::vector<std::size_t>{static_cast<std::size_t>(N)});
//|       n = std::vector<int>(N, std::numeric_limits<int>::min());
//|       n = context__.vals_i("n");
//|       stan::math::validate_non_negative_index("v", "N", N);
//|       n_opencl__ = stan::math::to_matrix_cl(n);
//|       y_opencl__ = stan::math::to_matrix_cl(y);
//|log_prob
//|       [[maybe_unused]] auto a = in__.template read<local_scalar_t__>();
//|       auto v = in__.template read<Eigen::Matrix<local_scalar_t__,-1,1>>(N);
//|       {
//|         lp_accum__.add(stan::math::normal_lpdf<propto__>(y_opencl__, stan::math::to_matrix_cl(v), a));
//|         lp_accum__.add(stan::math::poisson_lpmf<propto__>(n_opencl__,
//|                                                           stan::math::to_matrix_cl(stan::math::exp(
//|                                                           y))));
//|         lp_accum__.add(stan::math::std_normal_lpdf<propto__>(v));
//|       }
