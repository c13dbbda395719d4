// RUN: %s
// WHY: an argument without a name
functions {
  real f(real) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_function_argument_name.stan', line 4, column 13 to column 14, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an argument without a name
//|      3:  functions {
//|      4:    real f(real) {
//|                       ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Ill-formed function argument. Expected a name for the argument. Found ")".
