// RUN: %s
// WHY: a vector without a size
data {
  vector x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_vector_size.stan', line 4, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a vector without a size
//|      3:  data {
//|      4:    vector x;
//|                   ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed type. "[" expression "]" expected for vector size. Found identifier "x".
