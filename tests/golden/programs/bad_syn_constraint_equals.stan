// RUN: %s
// WHY: a constraint without =
data {
  real<lower 0> x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_constraint_equals.stan', line 4, column 13 to column 14, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a constraint without =
//|      3:  data {
//|      4:    real<lower 0> x;
//|                       ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed constraint. Expected "=" and an expression. Found integer literal "0".
