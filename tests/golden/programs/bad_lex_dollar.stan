// RUN: %s
// WHY: a character that means nothing
data {
  int $x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_lex_dollar.stan', line 4, column 6 to column 7, lexing error:
//|    -------------------------------------------------
//|      2:  // WHY: a character that means nothing
//|      3:  data {
//|      4:    int $x;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Invalid character found.
