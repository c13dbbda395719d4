// RUN: %s
// WHY: an array of rows for a matrix
model {
  matrix[1, 2] a;
  a = {[1.0, 2.0]};
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_matrix_rows.stan', line 5, column 6 to column 18:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    matrix[1, 2] a;
//|      5:    a = {[1.0, 2.0]};
//|                ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to assignment operator =: lhs has type matrix and rhs has type array[] row_vector
//| Write to_matrix(...) to convert it.
