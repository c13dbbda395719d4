// RUN: %s
// WHY: the arrow to the right
model {
  real a;
  1 -> a;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_assign_arrow_r.stan', line 5, column 5 to column 6, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real a;
//|      5:    1 -> a;
//|               ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found ">".
