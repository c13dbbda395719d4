// RUN: %s
// WHY: not even subtracted from
model {
  target -= 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_target_minus.stan', line 4, column 9 to column 11, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: not even subtracted from
//|      3:  model {
//|      4:    target -= 1;
//|                   ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "+=" after "target": it can only be added to. Found "-=".
