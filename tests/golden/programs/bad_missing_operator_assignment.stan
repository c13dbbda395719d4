// RUN: %s
// WHY: two operands in a row, outside of brackets
transformed data {
  real a = 1;
  real b;
  b = 2 a;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_missing_operator_assignment.stan', line 6, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      4:    real a = 1;
//|      5:    real b;
//|      6:    b = 2 a;
//|                  ^
//|      7:  }
//|    -------------------------------------------------
//|
//| Ill-formed assignment statement. Expected ";" after the right side. Found identifier "a". An operator may be missing between "2" and "a".
