// RUN: %s
// WHY: a ternary without its second half
transformed data {
  int a = 1 ? 2;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_ternary.stan', line 4, column 15 to column 16, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a ternary without its second half
//|      3:  transformed data {
//|      4:    int a = 1 ? 2;
//|                         ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected ":" and the value for a false condition: a ternary is "a ? b : c". Found ";".
