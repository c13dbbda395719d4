// RUN: %s
// WHY: the headers do not convert tuples in arrays, so these come with the scalars of their destination
// SHOW: log_prob
data {
  vector[2] d;
  array[2] tuple(vector[2], real) t;
}
parameters {
  real p;
}
model {
  array[2] tuple(vector[2], real) l = {(d, p), (d, 1)};
  l = t;
  l[1] = (d, 1);
  tuple(array[2] tuple(vector[2], real), real) n = (t, p);
  n.1[1].1 = d;
}
//|log_prob
//|       [[maybe_unused]] auto p = in__.template read<local_scalar_t__>();
//|       {
//|         [[maybe_unused]] std::vector<std::tuple<Eigen::Matrix<local_scalar_t__,-1,1>, local_scalar_t__>> l = std::vector<std::tuple<Eigen::Matrix<local_scalar_t__,-1,1>, local_scalar_t__>>(2, std::tuple<Eigen::Matrix<local_scalar_t__,-1,1>, local_scalar_t__>{Eigen::Matrix<local_scalar_t__,-1,1>::Constant(2, DUMMY_VAR__), DUMMY_VAR__});
//|         stan::model::assign(l,
//|                             std::vector<std::tuple<Eigen::Matrix<local_scalar_t__,-1,1>, local_scalar_t__>>{
//|                             std::tuple<Eigen::Matrix<local_scalar_t__,-1,1>, local_scalar_t__>(
//|                             stan::math::promote_scalar<local_scalar_t__>(d), p),
//|                             std::tuple<Eigen::Matrix<local_scalar_t__,-1,1>, local_scalar_t__>(
//|                             stan::math::promote_scalar<local_scalar_t__>(d),
//|                             stan::math::promote_scalar<local_scalar_t__>(1.0))}, "assigning variable l");
//|         stan::model::assign(l, stan::math::promote_scalar<std::tuple<local_scalar_t__, local_scalar_t__>>(t),
//|                             "assigning variable l");
//|         stan::model::assign(l,
//|                             std::tuple<Eigen::Matrix<local_scalar_t__,-1,1>, local_scalar_t__>(
//|                             stan::math::promote_scalar<local_scalar_t__>(d),
//|                             stan::math::promote_scalar<local_scalar_t__>(1.0)), "assigning variable l",
//|                             stan::model::index_uni(1));
//|         [[maybe_unused]] std::tuple<std::vector<std::tuple<Eigen::Matrix<local_scalar_t__,-1,1>, local_scalar_t__>>, local_scalar_t__> n = std::tuple<std::vector<std::tuple<Eigen::Matrix<local_scalar_t__,-1,1>, local_scalar_t__>>, local_scalar_t__>{std::vector<std::tuple<Eigen::Matrix<local_scalar_t__,-1,1>, local_scalar_t__>>(2, std::tuple<Eigen::Matrix<local_scalar_t__,-1,1>, local_scalar_t__>{Eigen::Matrix<local_scalar_t__,-1,1>::Constant(2, DUMMY_VAR__), DUMMY_VAR__}), DUMMY_VAR__};
//|         stan::model::assign(n,
//|                             std::tuple<std::vector<std::tuple<Eigen::Matrix<local_scalar_t__,-1,1>, local_scalar_t__>>, local_scalar_t__>(
//|                             stan::math::promote_scalar<std::tuple<local_scalar_t__, local_scalar_t__>>(t), p),
//|                             "assigning variable n");
//|         stan::model::assign(std::get<0>(stan::model::rvalue(std::get<0>(n), "n.1", stan::model::index_uni(1))),
//|                             d, "assigning variable n.1.1");
//|       }
