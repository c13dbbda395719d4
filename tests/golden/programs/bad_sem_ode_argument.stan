// RUN: %s
// WHY: a further argument of the wrong type
functions {
  vector rhs(real t, vector y, real k) {
    return k * y;
  }
}
transformed data {
  array[1] vector[1] y = ode_rk45(rhs, [1]', 0, {1.0}, [2]');
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_ode_argument.stan', line 9, column 55 to column 59:
//|    -------------------------------------------------
//|      7:  }
//|      8:  transformed data {
//|      9:    array[1] vector[1] y = ode_rk45(rhs, [1]', 0, {1.0}, [2]');
//|                                                                 ^
//|     10:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'ode_rk45': argument 5 has type real, found type vector.
