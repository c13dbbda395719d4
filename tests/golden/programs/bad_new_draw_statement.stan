// RUN: %s
// WHY: drawing a value with ~ in generated quantities
parameters {
  real x;
}
generated quantities {
  real z;
  z ~ normal(x, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_draw_statement.stan', line 8, column 2 to column 19:
//|    -------------------------------------------------
//|      6:  generated quantities {
//|      7:    real z;
//|      8:    z ~ normal(x, 1);
//|            ^
//|      9:  }
//|    -------------------------------------------------
//|
//| The target can only be changed (~) in the model block and in functions ending in _lp. A random value is drawn with '= normal_rng(...)'.
