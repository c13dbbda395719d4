// RUN: %s
// WHY: arithmetic with an array in a linear predictor
data {
  int N;
  array[N] real x;
  vector[N] y;
}
parameters {
  real a;
  real b;
}
model {
  y ~ normal(a + b * x, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_array_arithmetic.stan', line 13, column 17 to column 22:
//|    -------------------------------------------------
//|     11:  }
//|     12:  model {
//|     13:    y ~ normal(a + b * x, 1);
//|                           ^
//|     14:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator *. Available signatures:
//| (real, real) => real
//| (real, vector) => vector
//| (real, row_vector) => row_vector
//| (real, matrix) => matrix
//| (int, int) => int
//| (vector, real) => vector
//| (vector, row_vector) => matrix
//| (row_vector, real) => row_vector
//| (17 more are not shown)
//| Instead supplied arguments of incompatible type: real, array[] real.
//| Arrays have no arithmetic; vectors do: declare a vector, or write to_vector(x).
