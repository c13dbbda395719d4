// RUN: %s
// WHY: a vector as the condition of a loop
model {
  vector[1] a;
  while (a) {
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_condition_while.stan', line 5, column 9 to column 10:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    vector[1] a;
//|      5:    while (a) {
//|                   ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| A condition must be an int, found type vector.
