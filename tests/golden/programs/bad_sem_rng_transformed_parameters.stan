// RUN: %s
// WHY: random numbers in transformed parameters
transformed parameters {
  real a = normal_rng(0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_rng_transformed_parameters.stan', line 4, column 11 to column 27:
//|    -------------------------------------------------
//|      2:  // WHY: random numbers in transformed parameters
//|      3:  transformed parameters {
//|      4:    real a = normal_rng(0, 1);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Functions ending in _rng may only be called in transformed data, generated quantities and in functions ending in _rng.
