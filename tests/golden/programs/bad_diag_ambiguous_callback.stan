// RUN: %s
// WHY: overloads that fit the arguments of reduce_sum equally well
functions {
  real part(array[] int x, int a, int b, real u, complex v) { return 0; }
  real part(array[] int x, int a, int b, complex u, real v) { return 0; }
}
transformed data { real s = reduce_sum(part, {1, 2}, 1, 1.0, 1.0); real t = reduce_sum(part, {1, 2}, 1, 1, 1); }
//|exit 1
//|stderr
//| Semantic error in 'bad_diag_ambiguous_callback.stan', line 7, column 28 to column 65:
//|    -------------------------------------------------
//|      5:    real part(array[] int x, int a, int b, complex u, real v) { return 0; }
//|      6:  }
//|      7:  transformed data { real s = reduce_sum(part, {1, 2}, 1, 1.0, 1.0); real t = reduce_sum(part, {1, 2}, 1, 1, 1); }
//|                                      ^
//|    -------------------------------------------------
//|
//| The call of 'reduce_sum' is ambiguous: these overloads of 'part' fit its arguments equally well:
//| (array[] int, int, int, real, complex) => real
//| (array[] int, int, int, complex, real) => real
