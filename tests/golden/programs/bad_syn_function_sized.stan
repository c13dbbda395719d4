// RUN: %s
// WHY: a size in a signature
functions {
  real f(vector[3] a) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_function_sized.stan', line 4, column 15 to column 16, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a size in a signature
//|      3:  functions {
//|      4:    real f(vector[3] a) {
//|                         ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Ill-formed function argument. Unsized type expected: arguments and results have no sizes. (Arrays are written "array[] real".)
