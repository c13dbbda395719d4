// RUN: %s
// WHY: a bound given twice
data {
  real<lower=0, lower=1> x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_constraint_twice.stan', line 4, column 16 to column 21, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a bound given twice
//|      3:  data {
//|      4:    real<lower=0, lower=1> x;
//|                          ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed constraint. Expected "upper" after ",". Found "lower".
