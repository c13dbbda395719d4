// RUN: %s
// WHY: an unnormalised density in generated quantities
generated quantities {
  real a = normal_lupdf(1 | 0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_lupdf_place.stan', line 4, column 11 to column 33:
//|    -------------------------------------------------
//|      2:  // WHY: an unnormalised density in generated quantities
//|      3:  generated quantities {
//|      4:    real a = normal_lupdf(1 | 0, 1);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Functions ending in _lupdf or _lupmf may only be used in the model block and in functions ending in _lpdf or _lpmf.
