// RUN: %s
// WHY: an array of arrays
data {
  array[2] array[2] real x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_array_array.stan', line 4, column 11 to column 16, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an array of arrays
//|      3:  data {
//|      4:    array[2] array[2] real x;
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed type. An array type cannot be the element type of an array: write more sizes instead.
