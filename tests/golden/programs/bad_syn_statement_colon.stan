// RUN: %s
// WHY: an assignment written with :=
model {
  int a;
  a := 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_colon.stan', line 5, column 4 to column 5, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    int a;
//|      5:    a := 1;
//|              ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "=", an operator followed by "=", or "~" after the expression; a call of a void function ends with ";". Found ":". To assign, write "=".
