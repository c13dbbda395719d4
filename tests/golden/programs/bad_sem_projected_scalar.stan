// RUN: %s
// WHY: only tuples have slots
transformed data {
  real a = 1;
  print(a.1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_projected_scalar.stan', line 5, column 8 to column 11:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    real a = 1;
//|      5:    print(a.1);
//|                  ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Only a tuple has slots; this expression has type real.
