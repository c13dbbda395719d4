// RUN: %s
// WHY: more indexes than dimensions
transformed data {
  vector[2] a;
  print(a[1, 2]);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_too_many_indexes.stan', line 5, column 8 to column 15:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    vector[2] a;
//|      5:    print(a[1, 2]);
//|                  ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Too many indexes: 2 given for an expression of type vector.
