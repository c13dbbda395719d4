// RUN: %s
// WHY: an int literal beyond 2147483647
transformed data {
  int a = 2147483648;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_int_too_large.stan', line 4, column 10 to column 20:
//|    -------------------------------------------------
//|      2:  // WHY: an int literal beyond 2147483647
//|      3:  transformed data {
//|      4:    int a = 2147483648;
//|                    ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Integer literal 2147483648 is too large: the largest int is 2147483647. Write it as a real (with a decimal point) if that is meant.
