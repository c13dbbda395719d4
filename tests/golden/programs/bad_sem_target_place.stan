// RUN: %s
// WHY: the target in transformed parameters
transformed parameters {
  target += 1;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_target_place.stan', line 4, column 2 to column 14:
//|    -------------------------------------------------
//|      2:  // WHY: the target in transformed parameters
//|      3:  transformed parameters {
//|      4:    target += 1;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The target can only be changed (target +=) in the model block and in functions ending in _lp.
