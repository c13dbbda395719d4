// RUN: %s
// WHY: a loop that is not closed
model {
  for (i in 1:3) {
    print(i);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_missing_brace.stan', line 7, column 0, parsing error:
//|    -------------------------------------------------
//|      5:      print(i);
//|      6:  }
//|      7:  
//|          ^ (error at end of file)
//|    -------------------------------------------------
//|
//| Ill-formed block. Expected a statement, a declaration or "}". Found end of input. The "{" in line 4 is not closed.
