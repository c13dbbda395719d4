// RUN: %s
// WHY: a probability mass of a real
functions {
  real f_lpmf(real a) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_function_variate.stan', line 4, column 2 to line 6, column 3:
//|    -------------------------------------------------
//|      2:  // WHY: a probability mass of a real
//|      3:  functions {
//|      4:    real f_lpmf(real a) {
//|            ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| The first argument of 'f_lpmf' must be an int or made of ints, not real.
