// RUN: %s
// WHY: a reserved word as a name is named
data {
  real lower;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_keyword_name.stan', line 4, column 7 to column 12, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a reserved word as a name is named
//|      3:  data {
//|      4:    real lower;
//|                 ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "lower" is a reserved keyword and cannot be used as a name.
