// RUN: %s
// WHY: a density after ~
parameters {
  real y;
}
model {
  y ~ normal_lpdf(0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_tilde_suffix.stan', line 7, column 6 to column 17:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    y ~ normal_lpdf(0, 1);
//|                ^
//|      8:  }
//|    -------------------------------------------------
//|
//| '~' takes the plain name of a distribution: write 'normal' instead of 'normal_lpdf'.
