// RUN: %s
// WHY: a further argument is missing
functions {
  vector rhs(real t, vector y, real k) {
    return k * y;
  }
}
transformed data {
  array[1] vector[1] y = ode_rk45(rhs, [1]', 0, {1.0});
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_ode_missing.stan', line 9, column 48 to column 53:
//|    -------------------------------------------------
//|      7:  }
//|      8:  transformed data {
//|      9:    array[1] vector[1] y = ode_rk45(rhs, [1]', 0, {1.0});
//|                                                          ^
//|     10:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'ode_rk45': expected 5 arguments with the callback 'rhs', found 4.
