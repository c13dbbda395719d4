// RUN: %s
// WHY: -- of other languages
model {
  int a = 1;
  a--;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_decrement.stan', line 5, column 5 to column 6, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    int a = 1;
//|      5:    a--;
//|               ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found ";". To subtract one, write "x -= 1".
