// RUN: %s
// WHY: parameters cannot be assigned
parameters {
  real x;
}
model {
  x = 1;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_parameter.stan', line 7, column 2 to column 3:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    x = 1;
//|            ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Cannot assign to 'x': it is a parameter and cannot be changed.
