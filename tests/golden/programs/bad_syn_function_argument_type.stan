// RUN: %s
// WHY: an argument without a type
functions {
  real f(a) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_function_argument_type.stan', line 4, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an argument without a type
//|      3:  functions {
//|      4:    real f(a) {
//|                   ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Ill-formed function argument. Expected the type of an argument, without sizes and constraints. Found identifier "a".
