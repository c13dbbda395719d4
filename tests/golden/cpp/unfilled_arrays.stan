// RUN: --O1 %s
// WHY: the headers convert numbers into an array without elements beyond its end, so these come as what it holds
// SHOW: log_prob
functions {
  real f(real a, real b) {
    array[3] real l = inv_logit(rep_array(a, 3));
    for (i in 1 : 3) l[i] *= b;
    return l[1] * l[2];
  }
}
data {
  real d;
}
parameters {
  real p;
}
model {
  target += f(d, p);
}
//|log_prob
//|       [[maybe_unused]] auto p = in__.template read<local_scalar_t__>();
//|       {
//|         [[maybe_unused]] local_scalar_t__ inline_f_return_sym5__;
//|         {
//|           std::vector<local_scalar_t__> inline_f_l_sym6__;
//|           stan::model::assign(inline_f_l_sym6__,
//|                               stan::math::promote_scalar<local_scalar_t__>(stan::math::inv_logit(
//|                               stan::math::rep_array(d, 3))), "assigning variable inline_f_l_sym6__");
//|           for (int inline_f_i_sym7__ = 1; inline_f_i_sym7__ <= 3; ++inline_f_i_sym7__) {
//|             stan::model::assign(inline_f_l_sym6__,
//|                                 (stan::model::rvalue(inline_f_l_sym6__, "inline_f_l_sym6__",
//|                                                      stan::model::index_uni(inline_f_i_sym7__)) * p),
//|                                 "assigning variable inline_f_l_sym6__",
//|                                 stan::model::index_uni(inline_f_i_sym7__));
//|           }
//|           inline_f_return_sym5__ = (stan::model::rvalue(inline_f_l_sym6__, "inline_f_l_sym6__",
//|                                                         stan::model::index_uni(1))
//|                                     * stan::model::rvalue(inline_f_l_sym6__, "inline_f_l_sym6__",
//|                                                           stan::model::index_uni(2)));
//|         }
//|         lp_accum__.add(inline_f_return_sym5__);
//|       }
