// RUN: %s
// WHY: a matrix with one size
data {
  matrix[2] x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_matrix_one.stan', line 4, column 10 to column 11, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a matrix with one size
//|      3:  data {
//|      4:    matrix[2] x;
//|                    ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed type. Expected "," and a second size for matrix. Found "]".
