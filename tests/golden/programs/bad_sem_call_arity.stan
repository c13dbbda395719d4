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
//| Expected 2 arguments, found 1. Available signatures:
//| (int, int) => real
//| (int, real) => real
//| (int, vector) => vector
//| (int, row_vector) => row_vector
//| (int, matrix) => matrix
//| (296 further signatures are not shown)
