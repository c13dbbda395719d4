// RUN: %s
// WHY: nothing on the right
model {
  real a;
  a = ;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_assign_empty.stan', line 5, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real a;
//|      5:    a = ;
//|                ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found ";".
