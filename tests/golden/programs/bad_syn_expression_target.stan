// RUN: %s
// WHY: target without parentheses
model {
  print(1 + target);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_expression_target.stan', line 4, column 18 to column 19, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: target without parentheses
//|      3:  model {
//|      4:    print(1 + target);
//|                            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected "()" after "target". Found ")".
