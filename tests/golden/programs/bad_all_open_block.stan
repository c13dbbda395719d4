// RUN: --all-errors %s
// WHY: a block ends where the next one begins, when a brace is missing
model {
  for (i in 1:2) {
    print(i);
}
generated quantities {
  real y = 1 +;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_all_open_block.stan', line 7, column 0 to column 20, parsing error:
//|    -------------------------------------------------
//|      5:      print(i);
//|      6:  }
//|      7:  generated quantities {
//|          ^
//|      8:    real y = 1 +;
//|      9:  }
//|    -------------------------------------------------
//|
//| Ill-formed block. Expected a statement, a declaration or "}". Found "generated quantities". The "{" in line 4 is not closed.
//| Syntax error in 'bad_all_open_block.stan', line 8, column 14 to column 15, parsing error:
//|    -------------------------------------------------
//|      6:  }
//|      7:  generated quantities {
//|      8:    real y = 1 +;
//|                        ^
//|      9:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found ";".
