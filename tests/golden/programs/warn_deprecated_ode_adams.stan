// RUN: %s
// WHY: the old interface of a solver
functions {
  array[] real rhs(real t, array[] real y, array[] real theta, array[] real xr, array[] int xi) {
    return y;
  }
}
transformed data {
  array[1, 1] real y = integrate_ode_adams(rhs, {1.0}, 0.0, {1.0}, {1.0}, {1.0}, {1});
}
//|exit 0
//|stderr
//| Warning in 'warn_deprecated_ode_adams.stan', line 9, column 23 to column 42:
//|     Function 'integrate_ode_adams' is deprecated and will be removed in
//|     version 3.0. Use 'ode_adams', which takes the state as a vector and any
//|     number of further arguments, see
//|     https://mc-stan.org/users-guide/ode_solvers/convert.html
//|
