// RUN: %s
// WHY: operands that cannot be added
transformed data {
  vector[2] a;
  row_vector[2] b;
  print(a + b);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_operator.stan', line 6, column 8 to column 13:
//|    -------------------------------------------------
//|      4:    vector[2] a;
//|      5:    row_vector[2] b;
//|      6:    print(a + b);
//|                  ^
//|      7:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator +. Available signatures:
//| (real, row_vector) => row_vector
//| (vector, real) => vector
//| (vector, vector) => vector
//| (row_vector, row_vector) => row_vector
//| (int, int) => int
//| (real, real) => real
//| (real, vector) => vector
//| (real, matrix) => matrix
//| (13 more are not shown)
//| Instead supplied arguments of incompatible type: vector, row_vector.
