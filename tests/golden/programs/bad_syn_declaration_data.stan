// RUN: %s
// WHY: the qualifier data on a declaration
model {
  data real a;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_declaration_data.stan', line 4, column 2 to column 6, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: the qualifier data on a declaration
//|      3:  model {
//|      4:    data real a;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. The qualifier "data" is for function arguments only.
