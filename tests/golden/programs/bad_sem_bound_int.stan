// RUN: %s
// WHY: an int with a real bound
data {
  int<lower=0.5> x;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_bound_int.stan', line 4, column 2 to column 19:
//|    -------------------------------------------------
//|      2:  // WHY: an int with a real bound
//|      3:  data {
//|      4:    int<lower=0.5> x;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The bounds of an int must be int, found type real.
