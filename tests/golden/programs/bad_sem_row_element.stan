// RUN: %s
// WHY: a matrix literal with a scalar among its rows
transformed data {
  print([[1, 2], 3]);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_row_element.stan', line 4, column 17 to column 18:
//|    -------------------------------------------------
//|      2:  // WHY: a matrix literal with a scalar among its rows
//|      3:  transformed data {
//|      4:    print([[1, 2], 3]);
//|                           ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Expected a row vector like the first element, found an element of type int.
