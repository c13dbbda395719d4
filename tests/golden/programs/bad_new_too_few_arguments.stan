// RUN: %s
// WHY: a distribution without its scale
data {
  vector[3] y;
}
model {
  y ~ normal(0);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_too_few_arguments.stan', line 7, column 2 to column 16:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    y ~ normal(0);
//|            ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments to distribution statement for 'normal':
//| (vector, int)
//| Expected 3 arguments, found 2, the one before ~ included. Available signatures:
//| (real, real, real) => real
//| (real, real, vector) => real
//| (real, real, row_vector) => real
//| (real, real, array[] real) => real
//| (real, vector, real) => real
//| (59 further signatures are not shown)
//| It is written 'normal(mu, sigma)': sigma is a scale parameter.
