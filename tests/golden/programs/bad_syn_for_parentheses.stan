// RUN: %s
// WHY: a loop without parentheses
model {
  for i in 1:3 {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_for_parentheses.stan', line 4, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a loop without parentheses
//|      3:  model {
//|      4:    for i in 1:3 {
//|                ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "(" after "for". A loop is written "for (i in 1:N)". Found identifier "i".
