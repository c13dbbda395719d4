// RUN: %s
// WHY: a space that nobody sees
parameters {
  real​ a;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_character_width.stan', line 4, column 6 to column 7, lexing error:
//|    -------------------------------------------------
//|      2:  // WHY: a space that nobody sees
//|      3:  parameters {
//|      4:    real​ a;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Invalid character found. It is a space without width: delete it.
