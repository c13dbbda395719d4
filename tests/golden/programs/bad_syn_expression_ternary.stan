// RUN: %s
// WHY: a ternary without its colon
model {
  print(1 ? 2);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_expression_ternary.stan', line 4, column 13 to column 14, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a ternary without its colon
//|      3:  model {
//|      4:    print(1 ? 2);
//|                       ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected ":" and the value for a false condition: a ternary is "a ? b : c". Found ")".
