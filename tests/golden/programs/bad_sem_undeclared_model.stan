// RUN: %s
// WHY: a name that nothing declares
model {
  real a = unknown_thing;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_undeclared_model.stan', line 4, column 11 to column 24:
//|    -------------------------------------------------
//|      2:  // WHY: a name that nothing declares
//|      3:  model {
//|      4:    real a = unknown_thing;
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Identifier 'unknown_thing' not in scope.
