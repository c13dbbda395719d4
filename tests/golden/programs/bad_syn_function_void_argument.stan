// RUN: %s
// WHY: void is no type of an argument
functions {
  real f(void) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_function_void_argument.stan', line 4, column 9 to column 13, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: void is no type of an argument
//|      3:  functions {
//|      4:    real f(void) {
//|                   ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Ill-formed function argument. Expected the type of an argument, without sizes and constraints. Found "void".
