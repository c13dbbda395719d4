// RUN: %s
// WHY: a scalar with a size is told about array
data {
  real[3] x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_real_size.stan', line 4, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a scalar with a size is told about array
//|      3:  data {
//|      4:    real[3] x;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. real takes no size. (For an array write "array[...] real".)
