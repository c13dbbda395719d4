// RUN: %s
// WHY: whole division of reals
transformed data {
  print(1.5 %/% 2);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_operator_int_division.stan', line 4, column 8 to column 17:
//|    -------------------------------------------------
//|      2:  // WHY: whole division of reals
//|      3:  transformed data {
//|      4:    print(1.5 %/% 2);
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator %/%. Available signatures:
//| (real, real) => real
//| (int, int) => int
//| (real, vector) => vector
//| (real, row_vector) => row_vector
//| (real, matrix) => matrix
//| (vector, real) => vector
//| (row_vector, real) => row_vector
//| (matrix, real) => matrix
//| (7 more are not shown)
//| Instead supplied arguments of incompatible type: real, int.
//| For reals write 1.5 / 2.
