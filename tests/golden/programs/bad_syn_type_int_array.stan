// RUN: %s
// WHY: int with a size
data {
  int[3] x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_int_array.stan', line 4, column 5 to column 6, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: int with a size
//|      3:  data {
//|      4:    int[3] x;
//|               ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. int takes no size. (For an array write "array[...] int".)
