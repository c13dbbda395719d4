// RUN: %s
// WHY: = in the condition of a loop
model {
  int a = 1;
  while (a = 1) {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_while_assign.stan', line 5, column 11 to column 12, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    int a = 1;
//|      5:    while (a = 1) {
//|                     ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. "=" assigns; to compare, write "==".
