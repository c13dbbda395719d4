// RUN: %s
// WHY: a path without return
functions {
  real f(real a) {
    if (a > 0) {
      return a;
    }
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_function_no_return.stan', line 4, column 2 to line 8, column 3:
//|    -------------------------------------------------
//|      2:  // WHY: a path without return
//|      3:  functions {
//|      4:    real f(real a) {
//|            ^
//|      5:      if (a > 0) {
//|      6:        return a;
//|    -------------------------------------------------
//|
//| Function 'f' must return a value on every path, but some path reaches the end of its body.
