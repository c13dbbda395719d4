// RUN: %s
// WHY: a semicolon is missing after break
model {
  while (1) {
    break
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_semicolon_break.stan', line 6, column 2 to column 3, parsing error:
//|    -------------------------------------------------
//|      4:    while (1) {
//|      5:      break
//|      6:    }
//|            ^
//|      7:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected ";" after "break" and "continue". Found "}". A ";" may be missing at the end of line 5.
