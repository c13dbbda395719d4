// RUN: %s
// WHY: an element with no type in common
transformed data {
  print({1, 2.5, [1, 2]});
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_array_element.stan', line 4, column 17 to column 23:
//|    -------------------------------------------------
//|      2:  // WHY: an element with no type in common
//|      3:  transformed data {
//|      4:    print({1, 2.5, [1, 2]});
//|                           ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The elements of an array must have a common type: this one has type row_vector, those before it real.
