// RUN: %s
// WHY: a number as a name
data {
  int 3;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_declaration_number.stan', line 4, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a number as a name
//|      3:  data {
//|      4:    int 3;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Expected a variable name. Found integer literal "3".
