// RUN: --strict %s
// WHY: array sizes behind the name
data {
  real a[3];
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_declaration_old_array.stan', line 4, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: array sizes behind the name
//|      3:  data {
//|      4:    real a[3];
//|                   ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. ";" expected after the variable name. Array sizes stand before the element type now; write
//|     array[3] real a;
