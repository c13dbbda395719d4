// RUN: %s
// WHY: truncation needs the distribution functions
parameters {
  vector[2] y;
}
model {
  y ~ multi_normal([0, 0]', identity_matrix(2)) T[0, 1];
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_truncation_missing.stan', line 7, column 2 to column 56:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    y ~ multi_normal([0, 0]', identity_matrix(2)) T[0, 1];
//|            ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Truncation needs the functions 'multi_normal_lcdf' and 'multi_normal_lccdf' for a bound followed by these arguments, and at least one of them does not accept them.
