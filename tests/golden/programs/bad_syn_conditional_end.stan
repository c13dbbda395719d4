// RUN: %s
// WHY: a conditional call without commas
model {
  print(normal_lpdf(1 | 2 3));
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_conditional_end.stan', line 4, column 26 to column 27, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a conditional call without commas
//|      3:  model {
//|      4:    print(normal_lpdf(1 | 2 3));
//|                                    ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed conditional distribution evaluation. Expected "," or ")" after an argument. Found integer literal "3". An operator or a "," may be missing between "2" and "3".
