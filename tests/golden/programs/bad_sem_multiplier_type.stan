// RUN: %s
// WHY: a multiplier of the wrong type
parameters {
  real<multiplier=[1]> x;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_multiplier_type.stan', line 4, column 18 to column 21:
//|    -------------------------------------------------
//|      2:  // WHY: a multiplier of the wrong type
//|      3:  parameters {
//|      4:    real<multiplier=[1]> x;
//|                            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The multiplier of a variable must be a scalar or have the variable's own type real, found type row_vector.
