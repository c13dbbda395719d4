// RUN: %s
// WHY: an annotation where none may stand
model {
  print(1 @a );
}
//|exit 1
//|stderr
//| Syntax error in 'bad_lex_at.stan', line 4, column 10 to column 11, lexing error:
//|    -------------------------------------------------
//|      2:  // WHY: an annotation where none may stand
//|      3:  model {
//|      4:    print(1 @a );
//|                    ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Annotation '@a' has no place here: annotations belong before the declaration of a variable or a function.
