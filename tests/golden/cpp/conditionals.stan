// RUN: %s
// WHY: branches of a conditional expression have one type; only one is evaluated
// SHOW: log_prob
data {
  int f;
  matrix[2, 2] M;
}
parameters {
  real a;
  vector[2] p;
}
model {
  real r = f ? a : 1;
  vector[2] v = f ? p : [1, 2]';
  matrix[2, 2] Q = f ? M' : M * 2;
}
//|log_prob
//|       [[maybe_unused]] auto a = in__.template read<local_scalar_t__>();
//|       auto p = in__.template read<Eigen::Matrix<local_scalar_t__,-1,1>>(2);
//|       {
//|         [[maybe_unused]] local_scalar_t__ r = DUMMY_VAR__;
//|         r = (f ? a : stan::math::promote_scalar<local_scalar_t__>(1));
//|         Eigen::Matrix<local_scalar_t__,-1,1> v = Eigen::Matrix<local_scalar_t__,-1,1>::Constant(2, DUMMY_VAR__);
//|         stan::model::assign(v,
//|                             (f ? Eigen::Matrix<local_scalar_t__,-1,1>(p)
//|                              : Eigen::Matrix<local_scalar_t__,-1,1>(stan::math::promote_scalar<local_scalar_t__>((Eigen::Matrix<double,-1,1>(2) << 
//|                              1.0, 2.0).finished()))), "assigning variable v");
//|         Eigen::Matrix<local_scalar_t__,-1,-1> Q = Eigen::Matrix<local_scalar_t__,-1,-1>::Constant(2,
//|             2, DUMMY_VAR__);
//|         stan::model::assign(Q,
//|                             (f ? Eigen::Matrix<double,-1,-1>(stan::math::transpose(
//|                              M)) : Eigen::Matrix<double,-1,-1>(stan::math::multiply(
//|                              M, 2.0))), "assigning variable Q");
//|       }
