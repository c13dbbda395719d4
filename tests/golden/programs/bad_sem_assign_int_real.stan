// RUN: %s
// WHY: a real for an int
model {
  int a;
  a = 1.5;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_int_real.stan', line 5, column 6 to column 9:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    int a;
//|      5:    a = 1.5;
//|                ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to assignment operator =: lhs has type int and rhs has type real
//| Write to_int(...) to convert it.
