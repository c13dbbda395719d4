// RUN: %s
// WHY: two declarations of a function
functions {
  real f(real a);
  real f(real b);
  real f(real a) {
    return a;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_function_declared_twice.stan', line 5, column 2 to column 17:
//|    -------------------------------------------------
//|      3:  functions {
//|      4:    real f(real a);
//|      5:    real f(real b);
//|            ^
//|      6:    real f(real a) {
//|      7:      return a;
//|    -------------------------------------------------
//|
//| Function 'f' with arguments (real) is declared already.
