// RUN: %s
// WHY: print with nothing to print
model {
  print();
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_print_empty.stan', line 4, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: print with nothing to print
//|      3:  model {
//|      4:    print();
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found ")".
