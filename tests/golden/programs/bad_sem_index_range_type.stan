// RUN: %s
// WHY: a real as the end of a range
transformed data {
  vector[2] a;
  print(a[1:2.5]);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_index_range_type.stan', line 5, column 12 to column 15:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    vector[2] a;
//|      5:    print(a[1:2.5]);
//|                      ^
//|      6:  }
//|    -------------------------------------------------
//|
//| The bounds of an index range must be int, found type real.
