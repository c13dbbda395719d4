// RUN: %s
// WHY: a size that is drawn at random
generated quantities {
  vector[poisson_rng(3)] x;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_size_rng.stan', line 4, column 9 to column 23:
//|    -------------------------------------------------
//|      2:  // WHY: a size that is drawn at random
//|      3:  generated quantities {
//|      4:    vector[poisson_rng(3)] x;
//|                   ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The sizes of a block's variables cannot be drawn at random.
