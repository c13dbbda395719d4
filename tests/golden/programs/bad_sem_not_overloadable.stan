// RUN: %s
// WHY: a built-in with argument rules of its own cannot be overloaded
functions {
  real reduce_sum(real a) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_not_overloadable.stan', line 4, column 7 to column 17:
//|    -------------------------------------------------
//|      2:  // WHY: a built-in with argument rules of its own cannot be overloaded
//|      3:  functions {
//|      4:    real reduce_sum(real a) {
//|                 ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Function 'reduce_sum' is built in with rules of its own for its arguments and cannot be overloaded.
