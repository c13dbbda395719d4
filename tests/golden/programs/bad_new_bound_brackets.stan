// RUN: %s
// WHY: bounds in brackets
data {
  real[0, 1] x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_bound_brackets.stan', line 4, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: bounds in brackets
//|      3:  data {
//|      4:    real[0, 1] x;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. real takes no size. (For an array write "array[...] real".)
