// RUN: %s
// WHY: constraints belong to the top level of a block
model {
  real<lower=0> x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_local_constraint.stan', line 4, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: constraints belong to the top level of a block
//|      3:  model {
//|      4:    real<lower=0> x;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Constraints are not allowed for local variables.
