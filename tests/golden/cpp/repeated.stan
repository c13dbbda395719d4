// RUN: --O1 %s
// WHY: a matrix that is repeated lies by columns, a product gives its elements after it is evaluated, a number keeps its sign
// SHOW: log_prob
data {
  int n;
  matrix[2, 3] x;
  vector[3] b;
}
parameters {
  matrix[2, 3] p;
}
model {
  array[n] matrix[3, 2] a = rep_array(p', n);
  tuple(array[n] real, vector[2]) t = (rep_array(b[1], n), p * b);
  target += sum(a[1]) + (x * b)[1] + sum(t.1) + sum(t.2) + p[1, 1] * -(1.0 - 3.0);
}
//|log_prob
//|       auto p = in__.template read<Eigen::Matrix<local_scalar_t__,-1,-1>>(2, 3);
//|       {
//|         stan::math::validate_non_negative_index("a", "n", n);
//|         std::vector<Eigen::Matrix<local_scalar_t__,-1,-1>> a;
//|         stan::model::assign(a,
//|                             stan::math::promote_scalar<local_scalar_t__>(stan::math::rep_array(
//|                             Eigen::Matrix<local_scalar_t__,-1,-1>(stan::math::transpose(p)), n)),
//|                             "assigning variable a");
//|         stan::math::validate_non_negative_index("t.1", "n", n);
//|         [[maybe_unused]] std::tuple<std::vector<local_scalar_t__>, Eigen::Matrix<local_scalar_t__,-1,1>> t;
//|         stan::model::assign(t,
//|                             std::tuple<std::vector<local_scalar_t__>, Eigen::Matrix<local_scalar_t__,-1,1>>(
//|                             stan::math::promote_scalar<local_scalar_t__>(stan::math::rep_array(
//|                             stan::model::rvalue(b, "b", stan::model::index_uni(1)), n)),
//|                             stan::math::multiply(p, b)), "assigning variable t");
//|         lp_accum__.add(stan::math::fma(stan::model::rvalue(p, "p", stan::model::index_uni(1),
//|                                                            stan::model::index_uni(1)), 2.,
//|                                        (stan::math::sum(stan::model::rvalue(a, "a", stan::model::index_uni(1)))
//|                                         + stan::model::rvalue(stan::math::eval(stan::math::multiply(
//|                                                               x, b)), "(x * b)", stan::model::index_uni(1))
//|                                         + stan::math::sum(std::get<0>(t)) + stan::math::sum(
//|                                         std::get<1>(t)))));
//|       }
