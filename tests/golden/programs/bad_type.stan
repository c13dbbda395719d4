// RUN: %s
// WHY: an initialiser of the wrong type
transformed data {
  int x = 1.5;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_type.stan', line 4, column 2 to column 14:
//|    -------------------------------------------------
//|      2:  // WHY: an initialiser of the wrong type
//|      3:  transformed data {
//|      4:    int x = 1.5;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to assignment operator =: lhs has type int and rhs has type real
//| Write to_int(...) to convert it.
