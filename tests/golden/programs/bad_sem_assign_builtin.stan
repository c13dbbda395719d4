// RUN: %s
// WHY: a built-in function on the left
model {
  exp = 1;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_builtin.stan', line 4, column 2 to column 5:
//|    -------------------------------------------------
//|      2:  // WHY: a built-in function on the left
//|      3:  model {
//|      4:    exp = 1;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Cannot assign to 'exp': it is a function.
