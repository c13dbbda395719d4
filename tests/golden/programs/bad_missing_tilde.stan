// RUN: %s
// WHY: a distribution statement without its operator
parameters {
  real a;
}
model {
  a normal(0, 1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_missing_tilde.stan', line 7, column 4 to column 10, parsing error:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    a normal(0, 1);
//|              ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "=", an operator followed by "=", or "~" after the expression; a call of a void function ends with ";". Found identifier "normal". A "~" may be missing before "normal".
