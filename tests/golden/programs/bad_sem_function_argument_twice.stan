// RUN: %s
// WHY: two arguments of one name
functions {
  real f(real a, int a) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_function_argument_twice.stan', line 4, column 2 to line 6, column 3:
//|    -------------------------------------------------
//|      2:  // WHY: two arguments of one name
//|      3:  functions {
//|      4:    real f(real a, int a) {
//|            ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Function 'f' has two arguments named 'a'.
