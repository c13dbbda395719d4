// RUN: %s
// WHY: a real where an int is expected
transformed data {
  vector[3] a = rep_vector(1, 3.0);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_call_real_for_int.stan', line 4, column 16 to column 34:
//|    -------------------------------------------------
//|      2:  // WHY: a real where an int is expected
//|      3:  transformed data {
//|      4:    vector[3] a = rep_vector(1, 3.0);
//|                          ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'rep_vector':
//| (int, real)
//| Available signatures:
//| (real, int) => vector
//|   Argument 2 has type int, found type real; to_int converts it.
//| (complex, int) => complex_vector
//|   Argument 2 has type int, found type real; to_int converts it.
