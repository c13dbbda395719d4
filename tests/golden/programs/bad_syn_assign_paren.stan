// RUN: %s
// WHY: parentheses on the left
model {
  real a;
  (a) = 2;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_assign_paren.stan', line 5, column 2 to column 5, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real a;
//|      5:    (a) = 2;
//|            ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed assignment. Only a variable, an element or slot of one, or a tuple of these can stand on the left side.
