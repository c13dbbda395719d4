// RUN: --Oexperimental %s
// WHY: target() carries derivatives whoever asks; vectors of data have no common adjoint; ints become reals before they fill an array
// SHOW: reverse
functions {
  real seen_lp(data real s) {
    target += s;
    return target();
  }
  real shift(vector a, real b) {
    vector[3] l;
    for (i in 1 : 3) l[i] = b * i;
    return sum(to_array_1d(l + a)) + b;
  }
}
data {
  array[2] int n;
  vector[3] d;
}
parameters {
  real p;
}
model {
  array[2] real r = n;
  target += seen_lp(0.5) * p + shift(d, 2) + sum(r) * p + r[1];
}
//|reverse
//|       std::vector<double> lcm_sym19__;
//|       [[maybe_unused]] double lcm_sym18__;
//|       [[maybe_unused]] double lcm_sym17__;
//|       [[maybe_unused]] double lcm_sym16__;
//|       [[maybe_unused]] double lcm_sym15__;
//|       [[maybe_unused]] auto p = in__.template read<local_scalar_t__>();
//|       {
//|         std::vector<double> r = std::vector<double>(2, std::numeric_limits<double>::quiet_NaN());
//|         lcm_sym19__ = decltype(lcm_sym19__)();
//|         stan::model::assign(lcm_sym19__, stan::math::promote_scalar<double>(n),
//|                             "assigning variable lcm_sym19__");
//|         [[maybe_unused]] double inline_shift_return_sym1__;
//|         [[maybe_unused]] local_scalar_t__ inline_seen_lp_return_sym5__;
//|         {
//|           Eigen::Matrix<double,-1,1> inline_shift_l_sym2__ = Eigen::Matrix<double,-1,1>::Constant(3, std::numeric_limits<double>::quiet_NaN());
//|           {
//|             stan::model::assign(inline_shift_l_sym2__, (2.0 * 1.0), "assigning variable inline_shift_l_sym2__",
//|                                 stan::model::index_uni(1));
//|             {
//|               stan::model::assign(inline_shift_l_sym2__, (2.0 * 2.0),
//|                                   "assigning variable inline_shift_l_sym2__", stan::model::index_uni(2));
//|             }
//|             {
//|               stan::model::assign(inline_shift_l_sym2__, (2.0 * 3.0),
//|                                   "assigning variable inline_shift_l_sym2__", stan::model::index_uni(3));
//|             }
//|           }
//|           inline_shift_return_sym1__ = (stan::math::sum(stan::math::to_array_1d(stan::math::add(
//|                                                                                 inline_shift_l_sym2__, d)))
//|                                         + 2.0);
//|         }
//|         {
//|           lp_accum__.add(0.5);
//|           inline_seen_lp_return_sym5__ = stan::math::get_lp(lp__, lp_accum__);
//|         }
//|         lp_accum__.add((stan::math::fma(stan::math::sum(lcm_sym19__), p,
//|                                         stan::math::fma(inline_seen_lp_return_sym5__, p,
//|                                                         inline_shift_return_sym1__))
//|                         + stan::model::rvalue(lcm_sym19__, "lcm_sym19__", stan::model::index_uni(1))));
//|       }
