// RUN: %s
// WHY: a right-hand side with the wrong result
functions {
  real rhs(real t, vector y) {
    return 1;
  }
}
transformed data {
  array[1] vector[1] y = ode_rk45(rhs, [1]', 0, {1.0});
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_ode_callback.stan', line 9, column 34 to column 37:
//|    -------------------------------------------------
//|      7:  }
//|      8:  transformed data {
//|      9:    array[1] vector[1] y = ode_rk45(rhs, [1]', 0, {1.0});
//|                                            ^
//|     10:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'ode_rk45': function 'rhs' does not fit: it must return vector, not real.
