// RUN: %s
// WHY: an array without sizes
data {
  array real x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_array_none.stan', line 4, column 8 to column 12, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an array without sizes
//|      3:  data {
//|      4:    array real x;
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed type. "[" expression "]" expected for array sizes. Found "real".
