// RUN: %s
// WHY: a loop variable with a type
model {
  for (int i in 1:3) {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_for_declared.stan', line 4, column 7 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a loop variable with a type
//|      3:  model {
//|      4:    for (int i in 1:3) {
//|                 ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. The variable of a loop is not declared: write "for (i in 1:N)".
