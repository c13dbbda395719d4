// RUN: %s
// WHY: tuples of different size
model {
  int a;
  int b;
  (a, b) = (1, 2, 3);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_tuple.stan', line 6, column 11 to column 20:
//|    -------------------------------------------------
//|      4:    int a;
//|      5:    int b;
//|      6:    (a, b) = (1, 2, 3);
//|                     ^
//|      7:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to assignment operator =: lhs has type tuple(int, int) and rhs has type tuple(int, int, int)
