// RUN: %s
// WHY: an initial guess of the wrong type
functions {
  vector f(vector x) {
    return x;
  }
}
transformed data {
  vector[1] a = solve_newton(f, 1.0);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_solve_newton.stan', line 9, column 32 to column 35:
//|    -------------------------------------------------
//|      7:  }
//|      8:  transformed data {
//|      9:    vector[1] a = solve_newton(f, 1.0);
//|                                          ^
//|     10:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'solve_newton': argument 2 has type vector, found type real.
