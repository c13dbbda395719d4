// RUN: %s
// WHY: the target can only be added to
model {
  target = 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_target.stan', line 4, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: the target can only be added to
//|      3:  model {
//|      4:    target = 1;
//|                   ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "+=" after "target": it can only be added to. Found "=".
