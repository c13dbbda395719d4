// RUN: %s
// WHY: a comma is missing, the parentheses are right
parameters {
  real x;
}
model {
  x ~ normal(0
             1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_missing_comma.stan', line 8, column 13 to column 14, parsing error:
//|    -------------------------------------------------
//|      6:  model {
//|      7:    x ~ normal(0
//|      8:               1);
//|                       ^
//|      9:  }
//|    -------------------------------------------------
//|
//| Ill-formed "~" statement. Expected "," or ")" after an argument. Found integer literal "1".
