// RUN: %s
// WHY: data that is used before it is declared
data {
  vector[N] x;
  int N;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_undeclared_later.stan', line 4, column 9 to column 10:
//|    -------------------------------------------------
//|      2:  // WHY: data that is used before it is declared
//|      3:  data {
//|      4:    vector[N] x;
//|                   ^
//|      5:    int N;
//|      6:  }
//|    -------------------------------------------------
//|
//| Identifier 'N' not in scope. It is declared later, in the data block; a variable must be declared before it is used.
