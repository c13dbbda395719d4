// RUN: %s
// WHY: transformed data end with their block
transformed data {
  real x;
}
model {
  x = 1;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_earlier.stan', line 7, column 2 to column 3:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    x = 1;
//|            ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Cannot assign to 'x': it belongs to an earlier block and can only be changed there.
