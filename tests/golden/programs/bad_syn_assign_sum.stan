// RUN: %s
// WHY: a sum on the left
model {
  real a;
  real b;
  a + b = 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_assign_sum.stan', line 6, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      4:    real a;
//|      5:    real b;
//|      6:    a + b = 1;
//|                  ^
//|      7:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "~" or the rest of an expression; an expression alone is no statement, and only variables, their elements and tuples of these can be assigned. Found "=".
