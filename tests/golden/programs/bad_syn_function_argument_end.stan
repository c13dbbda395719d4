// RUN: %s
// WHY: an argument list that goes on
functions {
  real f(real a real b) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_function_argument_end.stan', line 4, column 16 to column 20, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an argument list that goes on
//|      3:  functions {
//|      4:    real f(real a real b) {
//|                          ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Ill-formed function argument. Expected "," or ")" after an argument. Found "real".
