// RUN: %s
// WHY: elements of a literal have one type, whatever they were
// SHOW: log_prob
parameters {
  real a;
}
model {
  array[2, 2] real rr = {{1, a}, {2, 2.5}};
  row_vector[3] rv = [1, a, 2];
  matrix[2, 2] m = [[1, 2], [a, 3]];
  array[2] row_vector[0] none = {[], []};
  tuple(real, array[2] int) t = (a, {1, 2});
  array[1] tuple(int, vector[2]) ta = {(1, [1, 2]')};
  complex z = 2.5i;
}
//|log_prob
//|       [[maybe_unused]] auto a = in__.template read<local_scalar_t__>();
//|       {
//|         std::vector<std::vector<local_scalar_t__>> rr = std::vector<std::vector<local_scalar_t__>>(2, std::vector<local_scalar_t__>(2, DUMMY_VAR__));
//|         stan::model::assign(rr,
//|                             std::vector<std::vector<local_scalar_t__>>{std::vector<local_scalar_t__>{
//|                                                                        stan::math::promote_scalar<local_scalar_t__>(1.0),
//|                                                                        a},
//|                                                                        stan::math::promote_scalar<local_scalar_t__>(std::vector<double>{
//|                                                                        2.0, 2.5})}, "assigning variable rr");
//|         Eigen::Matrix<local_scalar_t__,1,-1> rv = Eigen::Matrix<local_scalar_t__,1,-1>::Constant(3, DUMMY_VAR__);
//|         stan::model::assign(rv,
//|                             (Eigen::Matrix<local_scalar_t__,1,-1>(3) << stan::math::promote_scalar<local_scalar_t__>(1.0),
//|                                                                         a,
//|                                                                         stan::math::promote_scalar<local_scalar_t__>(2.0)).finished(),
//|                             "assigning variable rv");
//|         Eigen::Matrix<local_scalar_t__,-1,-1> m = Eigen::Matrix<local_scalar_t__,-1,-1>::Constant(2,
//|             2, DUMMY_VAR__);
//|         stan::model::assign(m,
//|                             stan::math::to_matrix(std::vector<Eigen::Matrix<local_scalar_t__,1,-1>>{
//|                             stan::math::promote_scalar<local_scalar_t__>((Eigen::Matrix<double,1,-1>(2) << 
//|                             1.0, 2.0).finished()),
//|                             (Eigen::Matrix<local_scalar_t__,1,-1>(2) << a,
//|                                                                         stan::math::promote_scalar<local_scalar_t__>(3.0)).finished()}),
//|                             "assigning variable m");
//|         std::vector<Eigen::Matrix<local_scalar_t__,1,-1>> none = std::vector<Eigen::Matrix<local_scalar_t__,1,-1>>(2, Eigen::Matrix<local_scalar_t__,1,-1>::Constant(0, DUMMY_VAR__));
//|         stan::model::assign(none,
//|                             std::vector<Eigen::Matrix<double,1,-1>>{Eigen::Matrix<double,1,-1>(0),
//|                                                                     Eigen::Matrix<double,1,-1>(0)},
//|                             "assigning variable none");
//|         [[maybe_unused]] std::tuple<local_scalar_t__, std::vector<int>> t = std::tuple<local_scalar_t__, std::vector<int>>{DUMMY_VAR__, std::vector<int>(2, std::numeric_limits<int>::min())};
//|         stan::model::assign(t, std::forward_as_tuple(a, std::vector<int>{1, 2}), "assigning variable t");
//|         [[maybe_unused]] std::vector<std::tuple<int, Eigen::Matrix<local_scalar_t__,-1,1>>> ta = std::vector<std::tuple<int, Eigen::Matrix<local_scalar_t__,-1,1>>>(1, std::tuple<int, Eigen::Matrix<local_scalar_t__,-1,1>>{std::numeric_limits<int>::min(), Eigen::Matrix<local_scalar_t__,-1,1>::Constant(2, DUMMY_VAR__)});
//|         stan::model::assign(ta,
//|                             std::vector<std::tuple<int, Eigen::Matrix<local_scalar_t__,-1,1>>>{
//|                             std::tuple<int, Eigen::Matrix<local_scalar_t__,-1,1>>(1,
//|                                                                                   stan::math::promote_scalar<local_scalar_t__>((Eigen::Matrix<double,-1,1>(2) << 
//|                                                                                   1.0, 2.0).finished()))},
//|                             "assigning variable ta");
//|         [[maybe_unused]] std::complex<local_scalar_t__> z = std::complex<local_scalar_t__>(DUMMY_VAR__, DUMMY_VAR__);
//|         z = stan::math::to_complex(0, 2.5);
//|       }
