// RUN: %s
// WHY: an array that ends with a comma
model {
  print({1, });
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_expression_array_end.stan', line 4, column 12 to column 13, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an array that ends with a comma
//|      3:  model {
//|      4:    print({1, });
//|                      ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found "}".
