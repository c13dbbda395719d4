// RUN: %s
// WHY: too few arguments
transformed data {
  real a = pow(1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_call_arity.stan', line 4, column 11 to column 17:
//|    -------------------------------------------------
//|      2:  // WHY: too few arguments
//|      3:  transformed data {
//|      4:    real a = pow(1);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'pow':
//| (int)
//| Available signatures:
//| (int, int) => real
//|   Expected 2 arguments, found 1.
//| (int, real) => real
//|   Expected 2 arguments, found 1.
//| (int, vector) => vector
//|   Expected 2 arguments, found 1.
//| (int, row_vector) => row_vector
//|   Expected 2 arguments, found 1.
//| (int, matrix) => matrix
//|   Expected 2 arguments, found 1.
//| (296 further signatures are not shown)
