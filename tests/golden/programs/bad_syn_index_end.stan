// RUN: %s
// WHY: an index that is not closed
model {
  print(x[1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_index_end.stan', line 4, column 11 to column 12, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an index that is not closed
//|      3:  model {
//|      4:    print(x[1);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed index. Expected ":", "," or "]" after an index. Found ")".
