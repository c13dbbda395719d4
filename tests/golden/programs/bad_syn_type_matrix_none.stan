// RUN: %s
// WHY: a matrix without sizes
data {
  matrix x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_matrix_none.stan', line 4, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a matrix without sizes
//|      3:  data {
//|      4:    matrix x;
//|                   ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed type. "[" expression "," expression "]" expected for matrix sizes. Found identifier "x".
