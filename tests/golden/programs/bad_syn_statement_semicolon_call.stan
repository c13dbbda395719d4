// RUN: %s
// WHY: a semicolon is missing after print
model {
  print(1)
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_semicolon_call.stan', line 5, column 0 to column 1, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    print(1)
//|      5:  }
//|          ^
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected ";" after "print(...)". Found "}". A ";" may be missing at the end of line 4.
