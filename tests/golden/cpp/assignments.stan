// RUN: %s
// WHY: whole scalars by the operator, all else by a function that checks sizes; what a right side shares with its destination is copied
// SHOW: log_prob
parameters {
  vector[3] p;
}
model {
  vector[3] x = p;
  matrix[3, 3] m;
  tuple(real, vector[3]) t;
  array[2] tuple(real, real) q;
  real s = 1;
  x[1] = s;
  x[2 : 3] = x[1 : 2];
  m = m';
  m[1] = m[ : , 1]';
  t.2 = t.2 + 1;
  q[2].1 = s;
  (q[1].1, s) = (s, q[1].1);
  x = x;
  x += 2;
}
//|log_prob
//|       auto p = in__.template read<Eigen::Matrix<local_scalar_t__,-1,1>>(3);
//|       {
//|         Eigen::Matrix<local_scalar_t__,-1,1> x = Eigen::Matrix<local_scalar_t__,-1,1>::Constant(3, DUMMY_VAR__);
//|         stan::model::assign(x, p, "assigning variable x");
//|         Eigen::Matrix<local_scalar_t__,-1,-1> m = Eigen::Matrix<local_scalar_t__,-1,-1>::Constant(3,
//|             3, DUMMY_VAR__);
//|         [[maybe_unused]] std::tuple<local_scalar_t__, Eigen::Matrix<local_scalar_t__,-1,1>> t = std::tuple<local_scalar_t__, Eigen::Matrix<local_scalar_t__,-1,1>>{DUMMY_VAR__, Eigen::Matrix<local_scalar_t__,-1,1>::Constant(3, DUMMY_VAR__)};
//|         [[maybe_unused]] std::vector<std::tuple<local_scalar_t__, local_scalar_t__>> q = std::vector<std::tuple<local_scalar_t__, local_scalar_t__>>(2, std::tuple<local_scalar_t__, local_scalar_t__>{DUMMY_VAR__, DUMMY_VAR__});
//|         [[maybe_unused]] local_scalar_t__ s = DUMMY_VAR__;
//|         s = stan::math::promote_scalar<local_scalar_t__>(1);
//|         stan::model::assign(x, s, "assigning variable x", stan::model::index_uni(1));
//|         stan::model::assign(x,
//|                             stan::model::deep_copy(stan::model::rvalue(x, "x", stan::model::index_min_max(1, 2))),
//|                             "assigning variable x", stan::model::index_min_max(2, 3));
//|         stan::model::assign(m, stan::math::transpose(stan::model::deep_copy(m)), "assigning variable m");
//|         stan::model::assign(m,
//|                             stan::math::transpose(stan::model::deep_copy(stan::model::rvalue(
//|                                                   m, "m", stan::model::index_omni(), stan::model::index_uni(1)))),
//|                             "assigning variable m", stan::model::index_uni(1));
//|         stan::model::assign(std::get<1>(t), stan::math::add(stan::model::deep_copy(std::get<1>(t)), 1.0),
//|                             "assigning variable t.2");
//|         std::get<0>(stan::model::rvalue(q, "q", stan::model::index_uni(2))) = s;
//|         {
//|           [[maybe_unused]] std::tuple<local_scalar_t__, local_scalar_t__> sym1__;
//|           stan::model::assign(sym1__,
//|                               std::forward_as_tuple(s,
//|                                                     std::get<0>(stan::model::rvalue(
//|                                                     q, "q", stan::model::index_uni(1)))),
//|                               "assigning variable sym1__");
//|           std::get<0>(stan::model::rvalue(q, "q", stan::model::index_uni(1))) = std::get<0>(sym1__);
//|           s = std::get<1>(sym1__);
//|         }
//|         stan::model::assign(x, stan::math::add(stan::model::deep_copy(x), 2.0), "assigning variable x");
//|       }
