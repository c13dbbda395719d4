// RUN: %s
// WHY: a vector with two sizes
data {
  vector[2, 2] x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_vector_two.stan', line 4, column 10 to column 11, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a vector with two sizes
//|      3:  data {
//|      4:    vector[2, 2] x;
//|                    ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed type. vector takes one size; use "matrix" for two.
