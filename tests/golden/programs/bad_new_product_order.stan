// RUN: %s
// WHY: a vector times a matrix
data {
  matrix[3, 2] X;
  vector[2] b;
}
transformed data {
  vector[3] mu = b * X;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_product_order.stan', line 8, column 17 to column 22:
//|    -------------------------------------------------
//|      6:  }
//|      7:  transformed data {
//|      8:    vector[3] mu = b * X;
//|                           ^
//|      9:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator *. Available signatures:
//| (real, matrix) => matrix
//| (vector, real) => vector
//| (vector, row_vector) => matrix
//| (row_vector, matrix) => row_vector
//| (matrix, matrix) => matrix
//| (int, int) => int
//| (real, real) => real
//| (real, vector) => vector
//| (17 more are not shown)
//| Instead supplied arguments of incompatible type: vector, matrix.
//| In the other order they fit: X * b.
