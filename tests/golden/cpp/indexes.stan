// RUN: %s
// WHY: one call per group of indexes; a slice up to b begins at 1, so that an empty container refuses it
// SHOW: log_prob
data {
  int n;
  array[2] int ii;
}
parameters {
  matrix[3, 3] m;
  array[2] vector[3] av;
}
model {
  target += m[1, 2] + sum(m[ : , n]) + sum(m[ii, 2 : 3]) + av[2][n];
  target += sum(av[1, 2 : ]) + sum(av[ : , 1]) + sum(av[1][ : n]) + {1, 2, 3}[n];
}
//|log_prob
//|       auto m = in__.template read<Eigen::Matrix<local_scalar_t__,-1,-1>>(3, 3);
//|       auto av = in__.template read<std::vector<Eigen::Matrix<local_scalar_t__,-1,1>>>(2, 3);
//|       {
//|         lp_accum__.add((stan::model::rvalue(m, "m", stan::model::index_uni(1), stan::model::index_uni(2))
//|                         + stan::math::sum(stan::model::rvalue(m, "m", stan::model::index_omni(),
//|                                                               stan::model::index_uni(n)))
//|                         + stan::math::sum(stan::model::rvalue(m, "m", stan::model::index_multi(ii),
//|                                                               stan::model::index_min_max(2, 3)))
//|                         + stan::model::rvalue(stan::model::rvalue(av, "av", stan::model::index_uni(2)),
//|                                               "av[2]", stan::model::index_uni(n))));
//|         lp_accum__.add((stan::math::sum(stan::model::rvalue(av, "av", stan::model::index_uni(1),
//|                                                             stan::model::index_min(2)))
//|                         + stan::math::sum(stan::model::rvalue(av, "av", stan::model::index_omni(),
//|                                                               stan::model::index_uni(1)))
//|                         + stan::math::sum(stan::model::rvalue(stan::model::rvalue(av, "av",
//|                                                                                   stan::model::index_uni(1)),
//|                                                               "av[1]", stan::model::index_min_max(1, n)))
//|                         + static_cast<double>(stan::model::rvalue(std::vector<int>{
//|                                                                   1, 2, 3}, "FnMakeArray__(1, 2, 3)",
//|                                                                   stan::model::index_uni(n)))));
//|       }
