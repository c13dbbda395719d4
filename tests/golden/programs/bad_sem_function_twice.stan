// RUN: %s
// WHY: two definitions of a function
functions {
  real f(real a) {
    return a;
  }
  real f(real b) {
    return b;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_function_twice.stan', line 7, column 2 to line 9, column 3:
//|    -------------------------------------------------
//|      5:      return a;
//|      6:    }
//|      7:    real f(real b) {
//|            ^
//|      8:      return b;
//|      9:    }
//|    -------------------------------------------------
//|
//| Function 'f' with arguments (real) is defined already.
