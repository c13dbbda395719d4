// RUN: %s
// WHY: a distribution statement in transformed parameters
parameters {
  real y;
}
transformed parameters {
  y ~ normal(0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_tilde_place.stan', line 7, column 2 to column 19:
//|    -------------------------------------------------
//|      5:  }
//|      6:  transformed parameters {
//|      7:    y ~ normal(0, 1);
//|            ^
//|      8:  }
//|    -------------------------------------------------
//|
//| The target can only be changed (~) in the model block and in functions ending in _lp.
