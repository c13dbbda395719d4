// RUN: %s
// WHY: a Jacobian without parameters
functions {
  real f_jacobian(real a) {
    jacobian += a;
    return a;
  }
}
transformed parameters {
  real q = f_jacobian(1);
}
//|exit 0
//|stderr
//| Warning in 'warn_jacobian_data.stan', line 10, column 11 to column 24:
//|     'f_jacobian' is called without parameters, so the term it adds to the
//|     Jacobian is constant.
//|
