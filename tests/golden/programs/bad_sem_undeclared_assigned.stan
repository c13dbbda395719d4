// RUN: %s
// WHY: assigning to a name that nothing declares
model {
  y = 1;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_undeclared_assigned.stan', line 4, column 2 to column 3:
//|    -------------------------------------------------
//|      2:  // WHY: assigning to a name that nothing declares
//|      3:  model {
//|      4:    y = 1;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Identifier 'y' not in scope. A variable is declared with its type before it is assigned, as in 'real y;'.
