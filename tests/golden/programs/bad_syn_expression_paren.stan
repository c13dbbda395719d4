// RUN: %s
// WHY: a parenthesis that is not closed
model {
  real a = (1 + 2;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_expression_paren.stan', line 4, column 17 to column 18, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a parenthesis that is not closed
//|      3:  model {
//|      4:    real a = (1 + 2;
//|                           ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected ")", or "," for a tuple, after the expression. Found ";". The "(" in line 4, column 11 is not closed.
