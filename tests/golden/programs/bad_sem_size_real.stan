// RUN: %s
// WHY: a real size
data {
  real N;
  vector[N] x;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_size_real.stan', line 5, column 9 to column 10:
//|    -------------------------------------------------
//|      3:  data {
//|      4:    real N;
//|      5:    vector[N] x;
//|                   ^
//|      6:  }
//|    -------------------------------------------------
//|
//| A size must be an int, found type real.
