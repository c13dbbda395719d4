// RUN: %s
// WHY: a loop as in other languages
model {
  for (i = 1; i < 3; i += 1) {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_for_c.stan', line 4, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a loop as in other languages
//|      3:  model {
//|      4:    for (i = 1; i < 3; i += 1) {
//|                   ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "in" after the loop variable. A loop is written "for (i in 1:N)". Found "=".
