// RUN: %s
// WHY: ** of other languages
model {
  print(2 ** 3);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_expression_power.stan', line 4, column 11 to column 12, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: ** of other languages
//|      3:  model {
//|      4:    print(2 ** 3);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found "*". Powers are written "^".
