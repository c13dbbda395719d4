// RUN: %s
// WHY: a constrained type in a signature
functions {
  real f(simplex a) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_function_simplex.stan', line 4, column 9 to column 16, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a constrained type in a signature
//|      3:  functions {
//|      4:    real f(simplex a) {
//|                   ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Ill-formed function argument. "simplex" is a constrained type; arguments and results take unconstrained types without sizes, such as "vector" or "matrix".
