// RUN: %s
// WHY: strings are no expressions
model {
  real x = "a";
}
//|exit 1
//|stderr
//| Syntax error in 'bad_string_expression.stan', line 4, column 11 to column 14, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: strings are no expressions
//|      3:  model {
//|      4:    real x = "a";
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. A string can only be an item of print, reject and fatal_error, or name a profile.
