// RUN: %s
// WHY: a keyword in an expression
model {
  print(1 + if);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_expression_keyword.stan', line 4, column 12 to column 14, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a keyword in an expression
//|      3:  model {
//|      4:    print(1 + if);
//|                      ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression; "if" is a reserved keyword and cannot be used as a name. Found "if".
