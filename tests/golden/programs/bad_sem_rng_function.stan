// RUN: %s
// WHY: random numbers in a function that does not say so
functions {
  real f() {
    return normal_rng(0, 1);
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_rng_function.stan', line 5, column 11 to column 27:
//|    -------------------------------------------------
//|      3:  functions {
//|      4:    real f() {
//|      5:      return normal_rng(0, 1);
//|                     ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| Functions ending in _rng may only be called in transformed data, generated quantities and in functions ending in _rng.
