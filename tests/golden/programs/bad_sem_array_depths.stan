// RUN: %s
// WHY: elements of different depth
transformed data {
  print({{1}, 2});
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_array_depths.stan', line 4, column 14 to column 15:
//|    -------------------------------------------------
//|      2:  // WHY: elements of different depth
//|      3:  transformed data {
//|      4:    print({{1}, 2});
//|                        ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The elements of an array must have a common type: this one has type int, those before it array[] int.
