// RUN: %s
// WHY: the function without the Jacobian is named
data {
  vector[2] a;
}
transformed parameters {
  real q = sum(lower_bound_jacobian(a, 0));
}
//|exit 0
//|stderr
//| Warning in 'warn_jacobian_constrain.stan', line 7, column 15 to column 41:
//|     'lower_bound_jacobian' is called without parameters, so the term it adds
//|     to the Jacobian is constant. Use 'lower_bound_constrain', which leaves
//|     the Jacobian alone.
//|
