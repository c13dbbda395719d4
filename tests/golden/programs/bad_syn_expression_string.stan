// RUN: %s
// WHY: a string in an expression
model {
  real a = "text";
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_expression_string.stan', line 4, column 11 to column 17, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a string in an expression
//|      3:  model {
//|      4:    real a = "text";
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. A string can only be an item of print, reject and fatal_error, or name a profile.
