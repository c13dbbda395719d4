// RUN: %s
// WHY: the old interface of the stiff solver
functions {
  array[] real rhs(real t, array[] real y, array[] real theta, array[] real xr, array[] int xi) {
    return y;
  }
}
transformed data {
  array[1, 1] real y = integrate_ode_bdf(rhs, {1.0}, 0.0, {1.0}, {1.0}, {1.0}, {1});
}
//|exit 0
//|stderr
//| Warning in 'warn_deprecated_ode_bdf.stan', line 9, column 23 to column 40:
//|     Function 'integrate_ode_bdf' is deprecated and will be removed in version
//|     3.0. Use 'ode_bdf', which takes the state as a vector and any number of
//|     further arguments, see
//|     https://mc-stan.org/users-guide/ode_solvers/convert.html
//|
