// RUN: %s
// WHY: then of other languages
model {
  int a;
  if (1) then a = 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_then.stan', line 5, column 14 to column 15, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    int a;
//|      5:    if (1) then a = 1;
//|                        ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. There is no "then": the statement follows the condition.
