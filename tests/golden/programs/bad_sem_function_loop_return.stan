// RUN: %s
// WHY: a return inside a loop may not be reached
functions {
  real f(int n) {
    while (n > 0) {
      break;
    }
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_function_loop_return.stan', line 4, column 2 to line 8, column 3:
//|    -------------------------------------------------
//|      2:  // WHY: a return inside a loop may not be reached
//|      3:  functions {
//|      4:    real f(int n) {
//|            ^
//|      5:      while (n > 0) {
//|      6:        break;
//|    -------------------------------------------------
//|
//| Function 'f' must return a value on every path, but some path reaches the end of its body.
