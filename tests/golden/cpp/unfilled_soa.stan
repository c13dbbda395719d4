// RUN: --O1 %s
// WHY: numbers that fill an array of containers with one adjoint each come as such containers
// SHOW: reverse
functions {
  real f(vector a) {
    array[2] vector[size(a)] l = tanh(rep_array(a, 2));
    return sum(l[1]) * sum(l[2]);
  }
}
data {
  vector[3] d;
}
parameters {
  vector[3] p;
}
model {
  target += f(p) + f(d);
}
//|reverse
//|       auto p = in__.template read<stan::math::var_value<Eigen::Matrix<double,-1,1>>>(3);
//|       {
//|         [[maybe_unused]] local_scalar_t__ inline_f_return_sym4__;
//|         [[maybe_unused]] local_scalar_t__ inline_f_return_sym1__;
//|         {
//|           stan::math::validate_non_negative_index("l", "size(a)", static_cast<int>(stan::math::size(p)));
//|           std::vector<stan::math::var_value<Eigen::Matrix<double,-1,1>>> inline_f_l_sym5__;
//|           stan::model::assign(inline_f_l_sym5__, stan::math::tanh(stan::math::rep_array(p, 2)),
//|                               "assigning variable inline_f_l_sym5__");
//|           inline_f_return_sym4__ = (stan::math::sum(stan::model::rvalue(inline_f_l_sym5__, "inline_f_l_sym5__",
//|                                                                         stan::model::index_uni(1)))
//|                                     * stan::math::sum(stan::model::rvalue(inline_f_l_sym5__,
//|                                                                           "inline_f_l_sym5__",
//|                                                                           stan::model::index_uni(2))));
//|         }
//|         {
//|           stan::math::validate_non_negative_index("l", "size(a)", static_cast<int>(stan::math::size(d)));
//|           std::vector<stan::math::var_value<Eigen::Matrix<double,-1,1>>> inline_f_l_sym2__;
//|           stan::model::assign(inline_f_l_sym2__,
//|                               stan::math::to_var_value(stan::math::promote_scalar<local_scalar_t__>(stan::math::tanh(
//|                               stan::math::rep_array(d, 2)))), "assigning variable inline_f_l_sym2__");
//|           inline_f_return_sym1__ = (stan::math::sum(stan::model::rvalue(inline_f_l_sym2__, "inline_f_l_sym2__",
//|                                                                         stan::model::index_uni(1)))
//|                                     * stan::math::sum(stan::model::rvalue(inline_f_l_sym2__,
//|                                                                           "inline_f_l_sym2__",
//|                                                                           stan::model::index_uni(2))));
//|         }
//|         lp_accum__.add((inline_f_return_sym4__ + inline_f_return_sym1__));
//|       }
