// RUN: %s
// WHY: an operator whose result does not fit
model {
  int a = 1;
  a += 1.5;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_compound.stan', line 5, column 7 to column 10:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    int a = 1;
//|      5:    a += 1.5;
//|                 ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to assignment operator +=: lhs has type int and rhs has type real
//| Write to_int(...) to convert it.
