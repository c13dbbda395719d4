// RUN: --O1 %s
// WHY: containers with one adjoint are pointers: where two would be one and one changes, they are kept by element, and parts are copied
// SHOW: reverse
data {
  vector[3] d;
}
parameters {
  vector[3] p;
  vector[3] q;
  matrix[3, 3] m;
}
model {
  vector[3] changed = p;
  changed[1] = 5;
  vector[3] kept = q;
  vector[2] part = head(q, 2);
  part[1] = 1;
  vector[3] number = d;
  number[2:3] = part;
  array[2] vector[3] twice;
  twice[1] = q .* m[1]';
  twice[2] = m[, 1];
  twice[2][1] = 2;
  target += sum(changed) + sum(part) + sum(number) + sum(twice[1]) + dot_self(kept) + sum(twice[2]);
}
//|reverse
//|       auto p = in__.template read<Eigen::Matrix<local_scalar_t__,-1,1>>(3);
//|       auto q = in__.template read<stan::math::var_value<Eigen::Matrix<double,-1,1>>>(3);
//|       auto m = in__.template read<stan::math::var_value<Eigen::Matrix<double,-1,-1>>>(3, 3);
//|       {
//|         Eigen::Matrix<local_scalar_t__,-1,1> changed;
//|         stan::model::assign(changed, p, "assigning variable changed");
//|         stan::model::assign(changed, stan::math::promote_scalar<local_scalar_t__>(5),
//|                             "assigning variable changed", stan::model::index_uni(1));
//|         stan::math::var_value<Eigen::Matrix<double,-1,1>> kept = stan::math::var_value<Eigen::Matrix<double,-1,1>>(Eigen::Matrix<double,-1,1>::Constant(3, std::numeric_limits<double>::quiet_NaN()));
//|         stan::math::var_value<Eigen::Matrix<double,-1,1>> part;
//|         stan::model::assign(part, stan::math::eval(stan::math::head(q, 2)), "assigning variable part");
//|         stan::model::assign(part, stan::math::promote_scalar<local_scalar_t__>(1), "assigning variable part",
//|                             stan::model::index_uni(1));
//|         stan::math::var_value<Eigen::Matrix<double,-1,1>> number;
//|         stan::model::assign(number, stan::math::eval(d), "assigning variable number");
//|         stan::model::assign(number, part, "assigning variable number", stan::model::index_min_max(2, 3));
//|         std::vector<stan::math::var_value<Eigen::Matrix<double,-1,1>>> twice = stan::math::to_var_value(std::vector<Eigen::Matrix<local_scalar_t__,-1,1>>(2, Eigen::Matrix<local_scalar_t__,-1,1>::Constant(3, DUMMY_VAR__)));
//|         stan::model::assign(twice,
//|                             stan::math::elt_multiply(q,
//|                                                      stan::math::transpose(stan::model::rvalue(
//|                                                                            m, "m", stan::model::index_uni(1)))),
//|                             "assigning variable twice", stan::model::index_uni(1));
//|         stan::model::assign(twice,
//|                             stan::math::eval(stan::model::rvalue(m, "m", stan::model::index_omni(),
//|                                                                  stan::model::index_uni(1))),
//|                             "assigning variable twice", stan::model::index_uni(2));
//|         stan::model::assign(twice, stan::math::promote_scalar<local_scalar_t__>(2), "assigning variable twice",
//|                             stan::model::index_uni(2), stan::model::index_uni(1));
//|         lp_accum__.add((stan::math::sum(changed) + stan::math::sum(part) + stan::math::sum(
//|                         number)
//|                         + stan::math::sum(stan::model::rvalue(twice, "twice", stan::model::index_uni(1)))
//|                         + stan::math::dot_self(q)
//|                         + stan::math::sum(stan::model::rvalue(twice, "twice", stan::model::index_uni(2)))));
//|       }
