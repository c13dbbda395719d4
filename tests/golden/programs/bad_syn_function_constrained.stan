// RUN: %s
// WHY: a bound in a signature
functions {
  real f(real<lower=0> a) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_function_constrained.stan', line 4, column 13 to column 14, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a bound in a signature
//|      3:  functions {
//|      4:    real f(real<lower=0> a) {
//|                       ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Ill-formed function argument. Types of arguments and results cannot be constrained.
