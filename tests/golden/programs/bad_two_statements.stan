// RUN: %s
// WHY: two distribution statements on a line
parameters {
  real a;
  real b;
}
model {
  a ~ normal(0, 1) b ~ normal(0, 1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_two_statements.stan', line 8, column 19 to column 20, parsing error:
//|    -------------------------------------------------
//|      6:  }
//|      7:  model {
//|      8:    a ~ normal(0, 1) b ~ normal(0, 1);
//|                             ^
//|      9:  }
//|    -------------------------------------------------
//|
//| Ill-formed "~" statement. Expected ";" after a distribution statement. Found identifier "b". A ";" may be missing before "b".
