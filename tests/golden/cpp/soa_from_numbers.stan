// RUN: --O1 %s
// WHY: containers of numbers, repeated, chosen or promoted, and elements of literals have no common adjoint, whatever has derivatives around them
// SHOW: reverse
functions {
  real f(real x, int n) {
    matrix[n, n] m = exp(rep_matrix(x, n, n));
    vector[n] v = inv_logit(fma(x, rep_vector(x, n), -1.7));
    return sum(m) + sum(v);
  }
}
data {
  int n;
  real d;
}
parameters {
  real p;
}
model {
  vector[n] chosen = inv_logit(n > 2 ? rep_vector(p, n) : rep_vector(d, n));
  target += dot_self({rep_vector(p, n), chosen - 0.5}[n]);
  target += f(d, n) + f(p, n) + dot_self(chosen) + d * -(1.0 - 3.0);
}
//|reverse
//|       [[maybe_unused]] auto p = in__.template read<local_scalar_t__>();
//|       {
//|         stan::math::validate_non_negative_index("chosen", "n", n);
//|         Eigen::Matrix<local_scalar_t__,-1,1> chosen;
//|         stan::model::assign(chosen,
//|                             stan::math::inv_logit((stan::math::logical_gt(n, 2)
//|                                                    ? Eigen::Matrix<local_scalar_t__,-1,1>(stan::math::rep_vector(
//|                                                    p, n))
//|                                                    : Eigen::Matrix<local_scalar_t__,-1,1>(stan::math::promote_scalar<local_scalar_t__>(stan::math::rep_vector(
//|                                                    d, n))))), "assigning variable chosen");
//|         lp_accum__.add(stan::math::dot_self(stan::model::rvalue(std::vector<Eigen::Matrix<local_scalar_t__,-1,1>>{
//|                                                                 stan::math::rep_vector(
//|                                                                 p, n), stan::math::subtract(
//|                                                                 chosen, 0.5)},
//|                                                                 "FnMakeArray__(rep_vector(p, n), (chosen - 0.5))",
//|                                                                 stan::model::index_uni(n))));
//|         [[maybe_unused]] local_scalar_t__ inline_f_return_sym5__;
//|         [[maybe_unused]] local_scalar_t__ inline_f_return_sym1__;
//|         {
//|           stan::math::validate_non_negative_index("m", "n", n);
//|           stan::math::validate_non_negative_index("m", "n", n);
//|           stan::math::var_value<Eigen::Matrix<double,-1,-1>> inline_f_m_sym6__;
//|           stan::model::assign(inline_f_m_sym6__, stan::math::exp(stan::math::rep_matrix(d, n, n)),
//|                               "assigning variable inline_f_m_sym6__");
//|           stan::math::validate_non_negative_index("v", "n", n);
//|           stan::math::var_value<Eigen::Matrix<double,-1,1>> inline_f_v_sym7__;
//|           stan::model::assign(inline_f_v_sym7__,
//|                               stan::math::inv_logit(stan::math::fma(d, stan::math::rep_vector(d, n), -1.7)),
//|                               "assigning variable inline_f_v_sym7__");
//|           inline_f_return_sym5__ = (stan::math::sum(inline_f_m_sym6__) + stan::math::sum(inline_f_v_sym7__));
//|         }
//|         {
//|           stan::math::validate_non_negative_index("m", "n", n);
//|           stan::math::validate_non_negative_index("m", "n", n);
//|           stan::math::var_value<Eigen::Matrix<double,-1,-1>> inline_f_m_sym2__;
//|           stan::model::assign(inline_f_m_sym2__,
//|                               stan::math::exp(stan::math::rep_matrix<stan::math::var_value<Eigen::Matrix<double,-1,-1>>>(
//|                                               p, n, n)), "assigning variable inline_f_m_sym2__");
//|           stan::math::validate_non_negative_index("v", "n", n);
//|           stan::math::var_value<Eigen::Matrix<double,-1,1>> inline_f_v_sym3__;
//|           stan::model::assign(inline_f_v_sym3__,
//|                               stan::math::inv_logit(stan::math::add(stan::math::multiply(
//|                                                                     p,
//|                                                                     stan::math::rep_vector<stan::math::var_value<Eigen::Matrix<double,-1,1>>>(
//|                                                                     p, n)), -1.7)),
//|                               "assigning variable inline_f_v_sym3__");
//|           inline_f_return_sym1__ = (stan::math::sum(inline_f_m_sym2__) + stan::math::sum(inline_f_v_sym3__));
//|         }
//|         lp_accum__.add(stan::math::fma(d, 2.,
//|                                        (inline_f_return_sym5__ + inline_f_return_sym1__
//|                                         + stan::math::dot_self(chosen))));
//|       }
