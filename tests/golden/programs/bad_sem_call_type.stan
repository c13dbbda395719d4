// RUN: %s
// WHY: an argument of the wrong type
functions {
  real f(real a, vector b) {
    return a;
  }
}
transformed data {
  real a = f(1, 2);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_call_type.stan', line 9, column 11 to column 18:
//|    -------------------------------------------------
//|      7:  }
//|      8:  transformed data {
//|      9:    real a = f(1, 2);
//|                     ^
//|     10:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'f':
//| (int, int)
//| Available signatures:
//| (real, vector) => real
//|   Argument 2 has type vector, found type int.
