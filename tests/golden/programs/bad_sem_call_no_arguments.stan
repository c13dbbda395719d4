// RUN: %s
// WHY: no argument where there must be one
transformed data {
  real a = exp();
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_call_no_arguments.stan', line 4, column 11 to column 16:
//|    -------------------------------------------------
//|      2:  // WHY: no argument where there must be one
//|      3:  transformed data {
//|      4:    real a = exp();
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'exp':
//| ()
//| Expected 1 argument, found 0. Available signatures:
//| (int) => real
//| (real) => real
//| (vector) => vector
//| (complex) => complex
//| (row_vector) => row_vector
//| (36 further signatures are not shown)
