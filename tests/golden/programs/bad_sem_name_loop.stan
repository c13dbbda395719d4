// RUN: %s
// WHY: a loop variable with the name of a variable
model {
  int i;
  for (i in 1:2) {
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_name_loop.stan', line 5, column 7 to column 8:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    int i;
//|      5:    for (i in 1:2) {
//|                 ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| Identifier 'i' is already in use.
