// RUN: %s
// WHY: void is no type
model {
  void a;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_declaration_void.stan', line 4, column 2 to column 6, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: void is no type
//|      3:  model {
//|      4:    void a;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed type. Invalid type in declaration. Expected one of int, real, complex, vector, row_vector, matrix, complex_vector, complex_row_vector, complex_matrix, tuple. Found "void".
