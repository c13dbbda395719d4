// RUN: %s
// WHY: complex numbers cannot be sliced
functions {
  real f(array[] complex x, int start, int end) {
    return 1;
  }
}
transformed data {
  real a = reduce_sum(f, {1i, 2i}, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_reduce_sum_element.stan', line 9, column 25 to column 33:
//|    -------------------------------------------------
//|      7:  }
//|      8:  transformed data {
//|      9:    real a = reduce_sum(f, {1i, 2i}, 1);
//|                                   ^
//|     10:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'reduce_sum': only arrays of int, real, vector, row_vector or matrix can be sliced, found type array[] complex.
