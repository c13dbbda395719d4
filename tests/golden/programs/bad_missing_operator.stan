// RUN: %s
// WHY: two operands in a row, in a bracket: the hint names both
parameters {
  real a;
  real b;
}
model {
  a ~ normal(2 b, 1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_missing_operator.stan', line 8, column 15 to column 16, parsing error:
//|    -------------------------------------------------
//|      6:  }
//|      7:  model {
//|      8:    a ~ normal(2 b, 1);
//|                         ^
//|      9:  }
//|    -------------------------------------------------
//|
//| Ill-formed "~" statement. Expected "," or ")" after an argument. Found identifier "b". An operator or a "," may be missing between "2" and "b".
