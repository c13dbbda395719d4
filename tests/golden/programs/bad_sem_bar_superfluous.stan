// RUN: %s
// WHY: a bar where none belongs
transformed data {
  real a = pow(1 | 2);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_bar_superfluous.stan', line 4, column 11 to column 21:
//|    -------------------------------------------------
//|      2:  // WHY: a bar where none belongs
//|      3:  transformed data {
//|      4:    real a = pow(1 | 2);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Only functions whose names end in _lpdf, _lupdf, _lpmf, _lupmf, _cdf, _lcdf or _lccdf take a vertical bar; 'pow' is none of them, write a comma.
