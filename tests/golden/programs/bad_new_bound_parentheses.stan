// RUN: %s
// WHY: bounds in parentheses
parameters {
  real(lower=0) s;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_bound_parentheses.stan', line 4, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: bounds in parentheses
//|      3:  parameters {
//|      4:    real(lower=0) s;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Expected a variable name. Found "(". Bounds stand between "<" and ">", as in "real<lower=0>".
