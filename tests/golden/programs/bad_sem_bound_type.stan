// RUN: %s
// WHY: a bound of the wrong type
data {
  real<lower=[1, 2]> x;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_bound_type.stan', line 4, column 13 to column 19:
//|    -------------------------------------------------
//|      2:  // WHY: a bound of the wrong type
//|      3:  data {
//|      4:    real<lower=[1, 2]> x;
//|                       ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The lower bound of a variable must be a scalar or have the variable's own type real, found type row_vector.
