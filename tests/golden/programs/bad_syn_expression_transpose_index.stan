// RUN: --strict %s
// WHY: an index after a transpose
model {
  vector[2] x;
  print(x'[1]);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_expression_transpose_index.stan', line 5, column 10 to column 11, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    vector[2] x;
//|      5:    print(x'[1]);
//|                    ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "," or ")" after an item. Found "[". A transpose is indexed in parentheses: "(x')[1]".
