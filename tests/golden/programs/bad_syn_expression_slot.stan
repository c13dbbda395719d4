// RUN: %s
// WHY: a slot number that is too large
model {
  print(x.99999999999999999999);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_expression_slot.stan', line 4, column 10 to column 30, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a slot number that is too large
//|      3:  model {
//|      4:    print(x.99999999999999999999);
//|                    ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. The number of a tuple's slot is too large.
