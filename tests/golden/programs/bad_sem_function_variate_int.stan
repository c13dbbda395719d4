// RUN: %s
// WHY: a probability density of an int
functions {
  real f_lpdf(int a) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_function_variate_int.stan', line 4, column 2 to line 6, column 3:
//|    -------------------------------------------------
//|      2:  // WHY: a probability density of an int
//|      3:  functions {
//|      4:    real f_lpdf(int a) {
//|            ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| The first argument of 'f_lpdf' must be real or made of reals, not int.
