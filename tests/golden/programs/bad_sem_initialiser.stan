// RUN: %s
// WHY: an initial value of the wrong type
model {
  int a = 1.5;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_initialiser.stan', line 4, column 2 to column 14:
//|    -------------------------------------------------
//|      2:  // WHY: an initial value of the wrong type
//|      3:  model {
//|      4:    int a = 1.5;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to assignment operator =: lhs has type int and rhs has type real
//| Write to_int(...) to convert it.
