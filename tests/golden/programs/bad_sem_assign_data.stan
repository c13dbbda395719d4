// RUN: %s
// WHY: data cannot be changed
data {
  real x;
}
model {
  x = 1;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_data.stan', line 7, column 2 to column 3:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    x = 1;
//|            ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Cannot assign to 'x': it is declared in data and cannot be changed.
