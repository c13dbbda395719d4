// RUN: %s
// WHY: a vector times a vector
data {
  vector[2] a;
  vector[2] b;
}
transformed data {
  vector[2] c = a * b;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_product_vectors.stan', line 8, column 16 to column 21:
//|    -------------------------------------------------
//|      6:  }
//|      7:  transformed data {
//|      8:    vector[2] c = a * b;
//|                          ^
//|      9:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator *. Available signatures:
//| (real, vector) => vector
//| (vector, real) => vector
//| (vector, row_vector) => matrix
//| (row_vector, vector) => real
//| (matrix, vector) => vector
//| (int, int) => int
//| (real, real) => real
//| (real, row_vector) => row_vector
//| (17 more are not shown)
//| Instead supplied arguments of incompatible type: vector, vector.
//| Write a .* b for the elementwise product, or dot_product(a, b).
