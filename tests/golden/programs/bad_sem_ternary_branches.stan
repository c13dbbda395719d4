// RUN: %s
// WHY: branches without a common type
transformed data {
  print(1 ? 1.0 : [1]);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_ternary_branches.stan', line 4, column 8 to column 21:
//|    -------------------------------------------------
//|      2:  // WHY: branches without a common type
//|      3:  transformed data {
//|      4:    print(1 ? 1.0 : [1]);
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The branches of '? :' must have a common type, found types real and row_vector.
