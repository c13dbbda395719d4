// RUN: %s
// WHY: an _lp function in transformed parameters
functions {
  real f_lp(real a) {
    target += a;
    return a;
  }
}
parameters {
  real p;
}
transformed parameters {
  real q = f_lp(p);
}
//|exit 0
//|stderr
//| Warning in 'warn_lp_transformed_parameters.stan', line 13, column 11 to column 18:
//|     Calling 'f_lp' in transformed parameters is deprecated and will be an
//|     error in version 2.40. Use a function ending in _jacobian with jacobian
//|     += instead.
//|
