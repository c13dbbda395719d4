// RUN: %s
// WHY: else without if
model {
  else {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_else.stan', line 4, column 2 to column 6, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: else without if
//|      3:  model {
//|      4:    else {
//|            ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. "else" without an "if" before it.
