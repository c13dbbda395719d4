// RUN: %s
// WHY: functions that map arrays would keep ints; Eigen takes constant operands of matrix products apart, wrongly
// SHOW: log_prob
data {
  array[2] int k;
  matrix[2, 2] m;
}
parameters {
  real p;
}
model {
  array[2] real s = sqrt(k);
  matrix[2, 2] scaled = 0.5 * rep_matrix(1, 2, 2) * m;
  vector[2] v = m * (p * rep_vector(2, 2));
}
//|log_prob
//|       [[maybe_unused]] auto p = in__.template read<local_scalar_t__>();
//|       {
//|         std::vector<local_scalar_t__> s = std::vector<local_scalar_t__>(2, DUMMY_VAR__);
//|         stan::model::assign(s, stan::math::sqrt(stan::math::promote_scalar<double>(k)), "assigning variable s");
//|         Eigen::Matrix<local_scalar_t__,-1,-1> scaled = Eigen::Matrix<local_scalar_t__,-1,-1>::Constant(2,
//|             2, DUMMY_VAR__);
//|         stan::model::assign(scaled,
//|                             stan::math::multiply(stan::math::eval(stan::math::multiply(
//|                                                  0.5, stan::math::rep_matrix(1.0, 2, 2))), m),
//|                             "assigning variable scaled");
//|         Eigen::Matrix<local_scalar_t__,-1,1> v = Eigen::Matrix<local_scalar_t__,-1,1>::Constant(2, DUMMY_VAR__);
//|         stan::model::assign(v,
//|                             stan::math::multiply(m,
//|                                                  stan::math::eval(stan::math::multiply(
//|                                                  p, stan::math::rep_vector(2.0, 2)))), "assigning variable v");
//|       }
