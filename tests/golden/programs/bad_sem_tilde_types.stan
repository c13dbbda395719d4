// RUN: %s
// WHY: arguments that the distribution does not take
parameters {
  real y;
}
model {
  y ~ normal({{0}}, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_tilde_types.stan', line 7, column 2 to column 23:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    y ~ normal({{0}}, 1);
//|            ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments to distribution statement for 'normal':
//| (real, array[,] int, int)
//| Available signatures:
//| (real, vector, real) => real
//|   Argument 2 has type vector, found type array[,] int.
//| (real, row_vector, real) => real
//|   Argument 2 has type row_vector, found type array[,] int.
//| (real, array[] real, real) => real
//|   Argument 2 has type array[] real, found type array[,] int.
//| (real, real, real) => real
//|   Argument 2 has type real, found type array[,] int.
//| (real, vector, vector) => real
//|   Argument 2 has type vector, found type array[,] int.
//| (59 further signatures are not shown)
