// RUN: %s
// WHY: a size that is declared later
data {
  vector[N] y;
  int<lower=0> N;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_before_declared.stan', line 4, column 9 to column 10:
//|    -------------------------------------------------
//|      2:  // WHY: a size that is declared later
//|      3:  data {
//|      4:    vector[N] y;
//|                   ^
//|      5:    int<lower=0> N;
//|      6:  }
//|    -------------------------------------------------
//|
//| Identifier 'N' not in scope. It is declared later, in the data block; a variable must be declared before it is used.
