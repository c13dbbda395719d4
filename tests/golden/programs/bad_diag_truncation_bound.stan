// RUN: %s
// WHY: a truncation bound that is a vector
model { 1.0 ~ normal(0, 1) T[[1, 2]', ]; }
//|exit 1
//|stderr
//| Semantic error in 'bad_diag_truncation_bound.stan', line 3, column 29 to column 36:
//|    -------------------------------------------------
//|      1:  // RUN: %s
//|      2:  // WHY: a truncation bound that is a vector
//|      3:  model { 1.0 ~ normal(0, 1) T[[1, 2]', ]; }
//|                                       ^
//|    -------------------------------------------------
//|
//| A truncation bound must be an int or a real, found type vector.
