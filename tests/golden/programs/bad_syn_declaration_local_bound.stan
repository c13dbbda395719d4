// RUN: %s
// WHY: a bound on a local variable
model {
  real<lower=0> a;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_declaration_local_bound.stan', line 4, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a bound on a local variable
//|      3:  model {
//|      4:    real<lower=0> a;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Constraints are not allowed for local variables.
