// RUN: %s
// WHY: loop variables cannot be changed
model {
  for (i in 1:3) {
    i = 2;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_loop_variable.stan', line 5, column 4 to column 5:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    for (i in 1:3) {
//|      5:      i = 2;
//|              ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| Cannot assign to 'i': it is a loop variable.
