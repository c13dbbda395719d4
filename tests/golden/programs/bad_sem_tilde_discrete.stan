// RUN: %s
// WHY: a real variate of a discrete distribution
parameters {
  real y;
}
model {
  y ~ poisson(3);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_tilde_discrete.stan', line 7, column 2 to column 17:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    y ~ poisson(3);
//|            ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments to distribution statement for 'poisson':
//| (real, int)
//| Available signatures:
//| (int, real) => real
//|   Argument 1 has type int, found type real.
//| (array[] int, real) => real
//|   Argument 1 has type array[] int, found type real.
//| (int, vector) => real
//|   Argument 1 has type int, found type real.
//| (int, row_vector) => real
//|   Argument 1 has type int, found type real.
//| (int, array[] real) => real
//|   Argument 1 has type int, found type real.
//| (3 further signatures are not shown)
