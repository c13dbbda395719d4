// RUN: %s
// WHY: a real as an index
transformed data {
  vector[2] a;
  print(a[1.0]);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_index_type.stan', line 5, column 10 to column 13:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    vector[2] a;
//|      5:    print(a[1.0]);
//|                    ^
//|      6:  }
//|    -------------------------------------------------
//|
//| An index must be an int, an array of int or a range, found type real.
