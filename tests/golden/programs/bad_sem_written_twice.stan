// RUN: %s
// WHY: a variable that is written twice
model {
  int a;
  (a, a) = (1, 2);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_written_twice.stan', line 5, column 2 to column 8:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    int a;
//|      5:    (a, a) = (1, 2);
//|            ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Variable 'a' is written more than once by this assignment.
