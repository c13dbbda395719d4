// RUN: %s
// WHY: overloads that differ in the result
functions {
  real f(real a) {
    return a;
  }
  int f(real a) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_function_by_return.stan', line 7, column 2 to line 9, column 3:
//|    -------------------------------------------------
//|      5:      return a;
//|      6:    }
//|      7:    int f(real a) {
//|            ^
//|      8:      return 1;
//|      9:    }
//|    -------------------------------------------------
//|
//| Two functions 'f' with the same arguments return different types, real and int.
