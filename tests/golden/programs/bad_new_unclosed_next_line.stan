// RUN: %s
// WHY: a parenthesis is missing at the end of a line
parameters {
  real x;
  real y;
}
model {
  x ~ normal(0, exp(1)
  y ~ normal(0, 1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_unclosed_next_line.stan', line 9, column 2 to column 3, parsing error:
//|    -------------------------------------------------
//|      7:  model {
//|      8:    x ~ normal(0, exp(1)
//|      9:    y ~ normal(0, 1);
//|            ^
//|     10:  }
//|    -------------------------------------------------
//|
//| Ill-formed "~" statement. Expected "," or ")" after an argument. Found identifier "y". The "(" in line 8, column 12 is not closed.
