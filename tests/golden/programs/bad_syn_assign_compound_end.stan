// RUN: %s
// WHY: a compound assignment that goes on
model {
  real a;
  a += 1 a;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_assign_compound_end.stan', line 5, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real a;
//|      5:    a += 1 a;
//|                   ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed compound assignment statement. Expected ";" after the right side. Found identifier "a". An operator may be missing between "1" and "a".
