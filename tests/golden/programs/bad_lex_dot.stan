// RUN: %s
// WHY: a point without digits
model {
  print(1 . 2);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_lex_dot.stan', line 4, column 10 to column 11, lexing error:
//|    -------------------------------------------------
//|      2:  // WHY: a point without digits
//|      3:  model {
//|      4:    print(1 . 2);
//|                    ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Invalid character found. A number has digits behind or before its point.
