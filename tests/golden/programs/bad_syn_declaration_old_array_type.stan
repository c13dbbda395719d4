// RUN: --strict %s
// WHY: sizes join those of the type
data {
  array[2] real a[3, 4];
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_declaration_old_array_type.stan', line 4, column 18 to column 19, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: sizes join those of the type
//|      3:  data {
//|      4:    array[2] real a[3, 4];
//|                            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. ";" expected after the variable name. Array sizes stand before the element type now; write
//|     array[3, 4, 2] real a;
