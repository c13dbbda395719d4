// RUN: %s
// WHY: a loop variable ends with its loop
model {
  for (i in 1:3) {
  }
  print(i);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_undeclared_loop.stan', line 6, column 8 to column 9:
//|    -------------------------------------------------
//|      4:    for (i in 1:3) {
//|      5:    }
//|      6:    print(i);
//|                  ^
//|      7:  }
//|    -------------------------------------------------
//|
//| Identifier 'i' not in scope.
