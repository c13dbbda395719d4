// RUN: %s
// WHY: the second argument of reduce_sum is no array
functions {
  real f(array[] real x, int start, int end) {
    return sum(x);
  }
}
transformed data {
  real a = reduce_sum(f, 1.0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_reduce_sum_slice.stan', line 9, column 25 to column 28:
//|    -------------------------------------------------
//|      7:  }
//|      8:  transformed data {
//|      9:    real a = reduce_sum(f, 1.0, 1);
//|                                   ^
//|     10:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'reduce_sum': the second argument must be an array, found type real.
