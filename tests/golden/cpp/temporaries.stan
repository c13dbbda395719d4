// RUN: --Oexperimental %s
// WHY: temporaries of the optimiser have the layout of elements, also where they go into a part of a whole
// SHOW: reverse
data {
  int N;
}
parameters {
  vector[N] p;
}
model {
  matrix[N, N] m;
  for (i in 1 : N) m[i] = p';
  target += sum(m);
}
//|reverse
//|       [[maybe_unused]] double lcm_sym10__;
//|       Eigen::Matrix<local_scalar_t__,1,-1> lcm_sym9__;
//|       [[maybe_unused]] int lcm_sym8__;
//|       auto p = in__.template read<stan::math::var_value<Eigen::Matrix<double,-1,1>>>(N);
//|       {
//|         stan::math::validate_non_negative_index("m", "N", N);
//|         stan::math::validate_non_negative_index("m", "N", N);
//|         stan::math::var_value<Eigen::Matrix<double,-1,-1>> m = stan::math::var_value<Eigen::Matrix<double,-1,-1>>(Eigen::Matrix<double,-1,-1>::Constant(N,
//|             N, std::numeric_limits<double>::quiet_NaN()));
//|         if (stan::math::logical_gte(N, 1)) {
//|           lcm_sym9__ = decltype(lcm_sym9__)();
//|           stan::model::assign(lcm_sym9__, stan::math::from_var_value(stan::math::transpose(
//|                               p)), "assigning variable lcm_sym9__");
//|           stan::model::assign(m, stan::math::to_var_value(lcm_sym9__), "assigning variable m",
//|                               stan::model::index_uni(1));
//|           for (int i = 2; i <= N; ++i) {
//|             stan::model::assign(m, stan::math::to_var_value(lcm_sym9__), "assigning variable m",
//|                                 stan::model::index_uni(i));
//|           }
//|         }
//|         lp_accum__.add(stan::math::sum(m));
//|       }
