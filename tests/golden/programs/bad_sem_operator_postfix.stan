// RUN: %s
// WHY: arrays are not transposed
transformed data {
  array[2] real a;
  print(a');
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_operator_postfix.stan', line 5, column 8 to column 10:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    array[2] real a;
//|      5:    print(a');
//|                  ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator '. Available signatures:
//| (vector) => row_vector
//| (row_vector) => vector
//| (matrix) => matrix
//| (complex_vector) => complex_row_vector
//| (complex_row_vector) => complex_vector
//| (complex_matrix) => complex_matrix
//| Instead supplied arguments of incompatible type: array[] real.
