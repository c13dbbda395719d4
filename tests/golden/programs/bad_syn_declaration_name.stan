// RUN: %s
// WHY: a declaration without a name
data {
  int ;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_declaration_name.stan', line 4, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a declaration without a name
//|      3:  data {
//|      4:    int ;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Expected a variable name. Found ";".
