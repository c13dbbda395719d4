// RUN: %s
// WHY: a list of reals
data {
  int N;
  real[N] x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_missing_array.stan', line 5, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      3:  data {
//|      4:    int N;
//|      5:    real[N] x;
//|                ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. real takes no size. (For an array write "array[...] real".)
