// RUN: %s
// WHY: a missing semicolon is reported at the next token
model {
  real x
  x = 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_missing_semicolon.stan', line 5, column 2 to column 3, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real x
//|      5:    x = 1;
//|            ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Expected "=", "," or ";" after a declared variable. Found identifier "x". A ";" may be missing at the end of line 4.
