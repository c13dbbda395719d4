// RUN: %s
// WHY: the rows of a matrix
transformed data {
  int a = nrow([[1]]);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_nrow.stan', line 4, column 10 to column 21:
//|    -------------------------------------------------
//|      2:  // WHY: the rows of a matrix
//|      3:  transformed data {
//|      4:    int a = nrow([[1]]);
//|                    ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'nrow' does not exist. Use 'rows'.
