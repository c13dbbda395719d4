// RUN: %s
// WHY: an expression alone
model {
  1 + 2;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_expression.stan', line 4, column 7 to column 8, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an expression alone
//|      3:  model {
//|      4:    1 + 2;
//|                 ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "~" or the rest of an expression; an expression alone is no statement, and only variables, their elements and tuples of these can be assigned. Found ";".
