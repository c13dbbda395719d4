// RUN: %s
// WHY: a condition that is not closed
model {
  if (1 {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_if_open.stan', line 4, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a condition that is not closed
//|      3:  model {
//|      4:    if (1 {
//|                  ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected ")" after the condition. Found "{". The "(" in line 4, column 5 is not closed.
