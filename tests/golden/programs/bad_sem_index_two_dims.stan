// RUN: %s
// WHY: a two-dimensional array as an index
transformed data {
  vector[2] a;
  print(a[{{1}}]);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_index_two_dims.stan', line 5, column 10 to column 15:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    vector[2] a;
//|      5:    print(a[{{1}}]);
//|                    ^
//|      6:  }
//|    -------------------------------------------------
//|
//| An index must be an int, an array of int or a range, found type array[,] int.
