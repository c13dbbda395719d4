// RUN: %s
// WHY: a loop that is not closed
model {
  for (i in 1:3 {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_for_open.stan', line 4, column 16 to column 17, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a loop that is not closed
//|      3:  model {
//|      4:    for (i in 1:3 {
//|                          ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected ")" after the range of a loop. Found "{". The "(" in line 4, column 6 is not closed.
