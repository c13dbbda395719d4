// RUN: %s
// WHY: a truncation without brackets
parameters {
  real y;
}
model {
  y ~ normal(0, 1) T(0, 1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_truncation_bracket.stan', line 7, column 20 to column 21, parsing error:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    y ~ normal(0, 1) T(0, 1);
//|                              ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Ill-formed truncation. Expected "[" after "T". Found "(".
