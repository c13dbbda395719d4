// RUN: %s
// WHY: a vector where an array is expected
functions {
  real f(array[] real b) {
    return b[1];
  }
}
transformed data {
  vector[2] x = [1, 2]';
  real a = f(x);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_call_vector_for_list.stan', line 10, column 11 to column 15:
//|    -------------------------------------------------
//|      8:  transformed data {
//|      9:    vector[2] x = [1, 2]';
//|     10:    real a = f(x);
//|                     ^
//|     11:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'f':
//| (vector)
//| Available signatures:
//| (array[] real) => real
//|   Argument 1 has type array[] real, found type vector; to_array_1d converts it.
