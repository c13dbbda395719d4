// RUN: %s
// WHY: a call on the left
model {
  f(1) = 2;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_assign_call.stan', line 4, column 2 to column 6, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a call on the left
//|      3:  model {
//|      4:    f(1) = 2;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed assignment. Only a variable, an element or slot of one, or a tuple of these can stand on the left side.
