// RUN: %s
// WHY: two colons in an index
model {
  print(x[1:2:3]);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_index_three.stan', line 4, column 13 to column 14, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: two colons in an index
//|      3:  model {
//|      4:    print(x[1:2:3]);
//|                       ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed index. Expected ":", "," or "]" after an index. Found ":".
