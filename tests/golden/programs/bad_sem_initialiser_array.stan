// RUN: %s
// WHY: an array of the wrong depth
transformed data {
  array[2] int a = {{1}, {2}};
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_initialiser_array.stan', line 4, column 2 to column 30:
//|    -------------------------------------------------
//|      2:  // WHY: an array of the wrong depth
//|      3:  transformed data {
//|      4:    array[2] int a = {{1}, {2}};
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to assignment operator =: lhs has type array[] int and rhs has type array[,] int
