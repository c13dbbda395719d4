// RUN: --strict %s
// WHY: a real condition
model {
  if (1.5) {
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_condition.stan', line 4, column 6 to column 9:
//|    -------------------------------------------------
//|      2:  // WHY: a real condition
//|      3:  model {
//|      4:    if (1.5) {
//|                ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| A condition must be an int, found type real. Compare it with something, as in x != 0.
