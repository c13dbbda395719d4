// RUN: %s
// WHY: a semicolon is missing after an assignment
model {
  real a;
  a = 1
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_semicolon.stan', line 6, column 0 to column 1, parsing error:
//|    -------------------------------------------------
//|      4:    real a;
//|      5:    a = 1
//|      6:  }
//|          ^
//|    -------------------------------------------------
//|
//| Ill-formed assignment statement. Expected ";" after the right side. Found "}". A ";" may be missing at the end of line 5.
