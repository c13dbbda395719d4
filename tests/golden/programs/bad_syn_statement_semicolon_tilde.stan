// RUN: %s
// WHY: a semicolon is missing after a distribution
parameters {
  real y;
}
model {
  y ~ normal(0, 1)
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_semicolon_tilde.stan', line 8, column 0 to column 1, parsing error:
//|    -------------------------------------------------
//|      6:  model {
//|      7:    y ~ normal(0, 1)
//|      8:  }
//|          ^
//|    -------------------------------------------------
//|
//| Ill-formed "~" statement. Expected ";" after a distribution statement. Found "}". A ";" may be missing at the end of line 7.
