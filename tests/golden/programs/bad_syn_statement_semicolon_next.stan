// RUN: %s
// WHY: a semicolon is missing before a declaration
model {
  real a = 1
  real b;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_semicolon_next.stan', line 5, column 2 to column 6, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real a = 1
//|      5:    real b;
//|            ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Expected "," or ";" after a declared variable. Found "real". A ";" may be missing at the end of line 4.
