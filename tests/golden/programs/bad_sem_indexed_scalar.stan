// RUN: %s
// WHY: a scalar is indexed
transformed data {
  real a = 1;
  print(a[1]);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_indexed_scalar.stan', line 5, column 8 to column 12:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    real a = 1;
//|      5:    print(a[1]);
//|                  ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Too many indexes: 1 given for an expression of type real.
