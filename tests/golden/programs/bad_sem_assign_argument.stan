// RUN: %s
// WHY: arguments cannot be changed
functions {
  real f(real a) {
    a = 1;
    return a;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_argument.stan', line 5, column 4 to column 5:
//|    -------------------------------------------------
//|      3:  functions {
//|      4:    real f(real a) {
//|      5:      a = 1;
//|              ^
//|      6:      return a;
//|      7:    }
//|    -------------------------------------------------
//|
//| Cannot assign to 'a': it is a function argument; copy it to a local variable first.
