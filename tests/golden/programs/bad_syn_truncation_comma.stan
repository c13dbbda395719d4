// RUN: %s
// WHY: a truncation with one bound
parameters {
  real y;
}
model {
  y ~ normal(0, 1) T[0];
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_truncation_comma.stan', line 7, column 22 to column 23, parsing error:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    y ~ normal(0, 1) T[0];
//|                                ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Ill-formed truncation. Expected "," between the bounds. Found "]".
