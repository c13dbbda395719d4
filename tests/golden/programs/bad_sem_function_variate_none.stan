// RUN: %s
// WHY: a density without arguments
functions {
  real f_lpdf() {
    return 1;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_function_variate_none.stan', line 4, column 2 to line 6, column 3:
//|    -------------------------------------------------
//|      2:  // WHY: a density without arguments
//|      3:  functions {
//|      4:    real f_lpdf() {
//|            ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| The first argument of 'f_lpdf' must be real or made of reals, and there is none.
