// RUN: %s
// WHY: a keyword that begins no statement
model {
  in 3;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_keyword.stan', line 4, column 2 to column 4, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a keyword that begins no statement
//|      3:  model {
//|      4:    in 3;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. "in" cannot begin a statement.
