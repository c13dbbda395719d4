// RUN: %s
// WHY: a condition without parentheses
model {
  if 1 {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_if_parentheses.stan', line 4, column 5 to column 6, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a condition without parentheses
//|      3:  model {
//|      4:    if 1 {
//|               ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "(" and a condition after "if". Found integer literal "1".
