// RUN: %s
// WHY: == where = is meant
model {
  int a;
  a == 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_compare.stan', line 5, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    int a;
//|      5:    a == 1;
//|                  ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. "==" compares; to assign, write "=".
