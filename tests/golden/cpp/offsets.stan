// RUN: %s
// WHY: the headers compute offsets and multipliers when a parameter is used, from their arguments
// SHOW: log_prob unconstrain_array
data {
  vector[2] d;
}
parameters {
  vector<offset=d, multiplier=exp(d)>[2] p;
}
//|log_prob
//|       Eigen::Matrix<local_scalar_t__,-1,1> p = in__.template read_constrain_offset_multiplier<Eigen::Matrix<local_scalar_t__,-1,1>, jacobian__>(
//|           d, stan::math::eval(stan::math::exp(d)), lp__, 2);
//|       stan::math::check_matching_dims("constraint", "p", p, "offset", d);
//|       stan::math::check_matching_dims("constraint", "p", p, "multiplier", stan::math::exp(d));
//|unconstrain_array
//|       Eigen::Matrix<local_scalar_t__,-1,1> p = Eigen::Matrix<local_scalar_t__,-1,1>::Constant(2, DUMMY_VAR__);
//|       for (int sym1__ = 1; sym1__ <= 2; ++sym1__) {
//|         stan::model::assign(p, in__.template read<double>(), "assigning variable p",
//|                             stan::model::index_uni(sym1__));
//|       }
//|       out__.write_free_offset_multiplier(d, stan::math::eval(stan::math::exp(d)), p);
