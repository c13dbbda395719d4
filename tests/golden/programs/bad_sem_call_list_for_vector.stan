// RUN: %s
// WHY: an array where a vector is expected
functions {
  real f(vector b) {
    return b[1];
  }
}
transformed data {
  array[2] real x = {1, 2};
  real a = f(x);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_call_list_for_vector.stan', line 10, column 11 to column 15:
//|    -------------------------------------------------
//|      8:  transformed data {
//|      9:    array[2] real x = {1, 2};
//|     10:    real a = f(x);
//|                     ^
//|     11:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'f':
//| (array[] real)
//| Available signatures:
//| (vector) => real
//|   Argument 1 has type vector, found type array[] real; to_vector converts it.
