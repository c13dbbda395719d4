// RUN: %s
// WHY: no such distribution
parameters {
  real y;
}
model {
  y ~ norml(0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_tilde_unknown.stan', line 7, column 6 to column 11:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    y ~ norml(0, 1);
//|                ^
//|      8:  }
//|    -------------------------------------------------
//|
//| There is no distribution 'norml': neither a function 'norml_lpdf' nor a function 'norml_lpmf' exists. Did you mean 'normal'?
