// RUN: %s
// WHY: the target is read in generated quantities
generated quantities {
  real a = target();
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_target_read.stan', line 4, column 11 to column 19:
//|    -------------------------------------------------
//|      2:  // WHY: the target is read in generated quantities
//|      3:  generated quantities {
//|      4:    real a = target();
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The target can only be read in transformed parameters, in the model block and in functions ending in _lp.
