// RUN: %s
// WHY: a string that is not closed
model {
  print("text);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_lex_string.stan', line 4, column 8 to column 9, lexing error:
//|    -------------------------------------------------
//|      2:  // WHY: a string that is not closed
//|      3:  model {
//|      4:    print("text);
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Invalid character found. A string ends on the line on which it begins, with '"'.
