// RUN: %s
// WHY: a column vector is no element of a row
transformed data {
  print([[1]']);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_row_vector_element.stan', line 4, column 9 to column 13:
//|    -------------------------------------------------
//|      2:  // WHY: a column vector is no element of a row
//|      3:  transformed data {
//|      4:    print([[1]']);
//|                   ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The elements of a row vector are scalars and those of a matrix row vectors; this one has type vector.
