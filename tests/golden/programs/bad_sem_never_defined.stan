// RUN: %s
// WHY: a function that is only declared
functions {
  real f(real a);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_never_defined.stan', line 4, column 7 to column 8:
//|    -------------------------------------------------
//|      2:  // WHY: a function that is only declared
//|      3:  functions {
//|      4:    real f(real a);
//|                 ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Function 'f' is declared without specifying a definition.
