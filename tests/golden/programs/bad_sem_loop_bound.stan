// RUN: %s
// WHY: a real as the bound of a loop
model {
  for (i in 1:2.5) {
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_loop_bound.stan', line 4, column 14 to column 17:
//|    -------------------------------------------------
//|      2:  // WHY: a real as the bound of a loop
//|      3:  model {
//|      4:    for (i in 1:2.5) {
//|                        ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| The bounds of a loop must be int, found type real.
