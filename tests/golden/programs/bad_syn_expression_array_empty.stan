// RUN: %s
// WHY: an empty array
model {
  print({});
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_expression_array_empty.stan', line 4, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an empty array
//|      3:  model {
//|      4:    print({});
//|                   ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression: an array literal needs at least one element. Found "}".
