// RUN: %s
// WHY: an array with empty brackets
data {
  array[] real x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_array_empty.stan', line 4, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an array with empty brackets
//|      3:  data {
//|      4:    array[] real x;
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed type. Expected an expression for an array size. Found "]".
