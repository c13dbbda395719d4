// RUN: %s
// WHY: a brace is missing in the middle of a program
model {
  for (i in 1:2) {
    if (i > 1) {
      print(i);
  }
}
generated quantities {
  real y;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_brace_generated.stan', line 9, column 0 to column 20, parsing error:
//|    -------------------------------------------------
//|      7:    }
//|      8:  }
//|      9:  generated quantities {
//|          ^
//|     10:    real y;
//|     11:  }
//|    -------------------------------------------------
//|
//| Ill-formed block. Expected a statement, a declaration or "}". Found "generated quantities". The "{" in line 5 is not closed.
