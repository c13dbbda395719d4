// RUN: %s
// WHY: a size in the array of a signature
functions {
  real f(array[3] real a) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_function_array_size.stan', line 4, column 15 to column 16, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a size in the array of a signature
//|      3:  functions {
//|      4:    real f(array[3] real a) {
//|                         ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Ill-formed function argument. Expected "," or "]": the array sizes of arguments and results are left out, as in "array[,] real". Found integer literal "3".
