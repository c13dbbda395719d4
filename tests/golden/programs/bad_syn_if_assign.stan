// RUN: %s
// WHY: = in a condition
model {
  int a = 1;
  if (a = 1) {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_if_assign.stan', line 5, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    int a = 1;
//|      5:    if (a = 1) {
//|                  ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. "=" assigns; to compare, write "==".
