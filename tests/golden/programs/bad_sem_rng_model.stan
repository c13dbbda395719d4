// RUN: %s
// WHY: random numbers in the model block
model {
  real a = normal_rng(0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_rng_model.stan', line 4, column 11 to column 27:
//|    -------------------------------------------------
//|      2:  // WHY: random numbers in the model block
//|      3:  model {
//|      4:    real a = normal_rng(0, 1);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Functions ending in _rng may only be called in transformed data, generated quantities and in functions ending in _rng.
