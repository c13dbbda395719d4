// RUN: --strict %s
// WHY: with --strict brackets behind a type are an error
functions {
  real f(real[] a) {
    return a[1];
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_removed_strict_signature.stan', line 4, column 13 to column 14, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: with --strict brackets behind a type are an error
//|      3:  functions {
//|      4:    real f(real[] a) {
//|                       ^
//|      5:      return a[1];
//|      6:    }
//|    -------------------------------------------------
//|
//| Ill-formed function argument. Unsized type expected: arguments and results have no sizes. (Arrays are written "array[] real".)
