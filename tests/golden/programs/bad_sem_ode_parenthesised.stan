// RUN: %s
// WHY: a callback must be a bare name
functions {
  vector rhs(real t, vector y) {
    return y;
  }
}
transformed data {
  array[1] vector[1] y = ode_rk45((rhs), [1]', 0, {1.0});
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_ode_parenthesised.stan', line 9, column 34 to column 39:
//|    -------------------------------------------------
//|      7:  }
//|      8:  transformed data {
//|      9:    array[1] vector[1] y = ode_rk45((rhs), [1]', 0, {1.0});
//|                                            ^
//|     10:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'ode_rk45': the first argument must be the name of a function (real, vector, ...) => vector without a special ending.
