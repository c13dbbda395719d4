// RUN: %s
// WHY: a loop without in
model {
  for (i 1:3) {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_for_in.stan', line 4, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a loop without in
//|      3:  model {
//|      4:    for (i 1:3) {
//|                   ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "in" after the loop variable. A loop is written "for (i in 1:N)". Found integer literal "1".
