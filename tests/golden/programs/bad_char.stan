// RUN: %s
// WHY: a character outside the language is named with its place
model {
  int a$;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_char.stan', line 4, column 7 to column 8, lexing error:
//|    -------------------------------------------------
//|      2:  // WHY: a character outside the language is named with its place
//|      3:  model {
//|      4:    int a$;
//|                 ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Invalid character found.
