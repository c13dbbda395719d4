// RUN: %s
// WHY: a definition that is built in
functions {
  real exp(real a) {
    return a;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_function_builtin.stan', line 4, column 2 to line 6, column 3:
//|    -------------------------------------------------
//|      2:  // WHY: a definition that is built in
//|      3:  functions {
//|      4:    real exp(real a) {
//|            ^
//|      5:      return a;
//|      6:    }
//|    -------------------------------------------------
//|
//| Function 'exp' with arguments (real) is built in and cannot be defined again.
