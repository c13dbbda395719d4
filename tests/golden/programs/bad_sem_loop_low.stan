// RUN: %s
// WHY: a real as the first value of a loop
model {
  for (i in 0.5:2) {
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_loop_low.stan', line 4, column 12 to column 15:
//|    -------------------------------------------------
//|      2:  // WHY: a real as the first value of a loop
//|      3:  model {
//|      4:    for (i in 0.5:2) {
//|                      ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| The bounds of a loop must be int, found type real.
