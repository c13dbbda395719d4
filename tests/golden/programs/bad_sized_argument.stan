// RUN: %s
// WHY: argument types have no sizes
functions {
  real f(vector[3] x) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_sized_argument.stan', line 4, column 15 to column 16, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: argument types have no sizes
//|      3:  functions {
//|      4:    real f(vector[3] x) {
//|                         ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Ill-formed function argument. Unsized type expected: arguments and results have no sizes. (Arrays are written "array[] real".)
