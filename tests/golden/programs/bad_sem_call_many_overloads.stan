// RUN: %s
// WHY: only the nearest signatures are listed
transformed data {
  real a = normal_lpdf({1.0} | {{1.0}}, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_call_many_overloads.stan', line 4, column 11 to column 42:
//|    -------------------------------------------------
//|      2:  // WHY: only the nearest signatures are listed
//|      3:  transformed data {
//|      4:    real a = normal_lpdf({1.0} | {{1.0}}, 1);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'normal_lpdf':
//| (array[] real, array[,] real, int)
//| Available signatures:
//| (array[] real, vector, real) => real
//|   Argument 2 has type vector, found type array[,] real.
//| (array[] real, row_vector, real) => real
//|   Argument 2 has type row_vector, found type array[,] real.
//| (array[] real, array[] real, real) => real
//|   Argument 2 has type array[] real, found type array[,] real.
//| (array[] real, real, real) => real
//|   Argument 2 has type real, found type array[,] real.
//| (array[] real, vector, vector) => real
//|   Argument 2 has type vector, found type array[,] real.
//| (59 further signatures are not shown)
