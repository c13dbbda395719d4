// RUN: %s
// WHY: a vector with two sizes is told about matrix
data {
  vector[2, 3] x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_vector_two_sizes.stan', line 4, column 10 to column 11, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a vector with two sizes is told about matrix
//|      3:  data {
//|      4:    vector[2, 3] x;
//|                    ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed type. vector takes one size; use "matrix" for two.
