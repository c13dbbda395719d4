// RUN: %s
// WHY: a deprecated function names its replacement
functions {
  array[] real f(real t, array[] real y, array[] real th, array[] real xr, array[] int xi) {
    return y;
  }
}
transformed data {
  array[1, 1] real y = integrate_ode_rk45(f, {1.0}, 0, {1.0}, {1.0}, {1.0}, {1});
}
//|exit 0
//|stderr
//| Warning in 'warn_integrate_ode.stan', line 9, column 23 to column 41:
//|     Function 'integrate_ode_rk45' is deprecated and will be removed in
//|     version 3.0. Use 'ode_rk45', which takes the state as a vector and any
//|     number of further arguments, see
//|     https://mc-stan.org/users-guide/ode_solvers/convert.html
//|
