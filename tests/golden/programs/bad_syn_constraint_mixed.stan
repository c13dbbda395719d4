// RUN: %s
// WHY: a bound and an offset
parameters {
  real<lower=0, offset=1> x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_constraint_mixed.stan', line 4, column 16 to column 22, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a bound and an offset
//|      3:  parameters {
//|      4:    real<lower=0, offset=1> x;
//|                          ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed constraint. Expected "upper" after ",". Found "offset".
