// RUN: %s
// WHY: a truncation that is not closed
parameters {
  real y;
}
model {
  y ~ normal(0, 1) T[0, 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_truncation_open.stan', line 7, column 25 to column 26, parsing error:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    y ~ normal(0, 1) T[0, 1;
//|                                   ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Ill-formed truncation. Expected "]" after the bounds. Found ";". The "[" in line 7, column 20 is not closed.
