// RUN: %s
// WHY: only variables, their parts and tuples of these can be assigned
model {
  real a;
  (a) = 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_not_assignable.stan', line 5, column 2 to column 5, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real a;
//|      5:    (a) = 1;
//|            ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed assignment. Only a variable, an element or slot of one, or a tuple of these can stand on the left side.
