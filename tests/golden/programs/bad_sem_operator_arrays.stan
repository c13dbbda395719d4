// RUN: %s
// WHY: arrays are not multiplied
transformed data {
  array[2] real a;
  print(a * 2);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_operator_arrays.stan', line 5, column 8 to column 13:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    array[2] real a;
//|      5:    print(a * 2);
//|                  ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator *. Available signatures:
//| (int, int) => int
//| (real, real) => real
//| (vector, real) => vector
//| (row_vector, real) => row_vector
//| (matrix, real) => matrix
//| (real, vector) => vector
//| (real, row_vector) => row_vector
//| (real, matrix) => matrix
//| (17 more are not shown)
//| Instead supplied arguments of incompatible type: array[] real, int.
//| Arrays have no arithmetic; vectors do: declare a vector, or write to_vector(a).
