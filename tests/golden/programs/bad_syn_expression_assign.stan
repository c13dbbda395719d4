// RUN: %s
// WHY: an assignment inside an argument
model {
  print(exp(a = 1));
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_expression_assign.stan', line 4, column 14 to column 15, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an assignment inside an argument
//|      3:  model {
//|      4:    print(exp(a = 1));
//|                        ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed function application. Expected ",", "|" or ")" after the first argument. Found "=". "=" assigns; to compare, write "==".
