// RUN: %s
// WHY: & for a logical and
model {
  print(1 & 2);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_lex_and.stan', line 4, column 10 to column 11, lexing error:
//|    -------------------------------------------------
//|      2:  // WHY: & for a logical and
//|      3:  model {
//|      4:    print(1 & 2);
//|                    ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Invalid character found. A logical and is written "&&".
