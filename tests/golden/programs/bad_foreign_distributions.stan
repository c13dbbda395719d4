// RUN: --all-errors %s
// WHY: distributions by the names of BUGS, R and brms, and with a wrong number of arguments
data {
  int<lower=0> N;
  vector[N] y;
  array[N] int n;
}
parameters {
  real alpha;
  real<lower=0> sigma;
}
model {
  y ~ dnorm(alpha, sigma);
  n ~ dbin(0.5, 10);
  sigma ~ dunif(0, 100);
  sigma ~ half_student_t(3, 0, 5);
  sigma ~ halfcauchy(0, 5);
  alpha ~ flat();
  sigma ~ truncated_normal(0, 1, 0, 10);
  y ~ normal(alpha);
  alpha ~ beta(1, 2, 3);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_foreign_distributions.stan', line 13, column 6 to column 11:
//|    -------------------------------------------------
//|     11:  }
//|     12:  model {
//|     13:    y ~ dnorm(alpha, sigma);
//|                ^
//|     14:    n ~ dbin(0.5, 10);
//|     15:    sigma ~ dunif(0, 100);
//|    -------------------------------------------------
//|
//| There is no distribution 'dnorm': neither a function 'dnorm_lpdf' nor a function 'dnorm_lpmf' exists. Write 'normal'. Its second argument is a standard deviation; that of BUGS is a precision.
//| Semantic error in 'bad_foreign_distributions.stan', line 14, column 6 to column 10:
//|    -------------------------------------------------
//|     12:  model {
//|     13:    y ~ dnorm(alpha, sigma);
//|     14:    n ~ dbin(0.5, 10);
//|                ^
//|     15:    sigma ~ dunif(0, 100);
//|     16:    sigma ~ half_student_t(3, 0, 5);
//|    -------------------------------------------------
//|
//| There is no distribution 'dbin': neither a function 'dbin_lpdf' nor a function 'dbin_lpmf' exists. Write 'binomial': the number of trials comes first, the probability second.
//| Semantic error in 'bad_foreign_distributions.stan', line 15, column 10 to column 15:
//|    -------------------------------------------------
//|     13:    y ~ dnorm(alpha, sigma);
//|     14:    n ~ dbin(0.5, 10);
//|     15:    sigma ~ dunif(0, 100);
//|                    ^
//|     16:    sigma ~ half_student_t(3, 0, 5);
//|     17:    sigma ~ halfcauchy(0, 5);
//|    -------------------------------------------------
//|
//| There is no distribution 'dunif': neither a function 'dunif_lpdf' nor a function 'dunif_lpmf' exists. Write 'uniform'.
//| Semantic error in 'bad_foreign_distributions.stan', line 16, column 10 to column 24:
//|    -------------------------------------------------
//|     14:    n ~ dbin(0.5, 10);
//|     15:    sigma ~ dunif(0, 100);
//|     16:    sigma ~ half_student_t(3, 0, 5);
//|                    ^
//|     17:    sigma ~ halfcauchy(0, 5);
//|     18:    alpha ~ flat();
//|    -------------------------------------------------
//|
//| There is no distribution 'half_student_t': neither a function 'half_student_t_lpdf' nor a function 'half_student_t_lpmf' exists. Write 'student_t', and declare the variable with <lower=0>.
//| Semantic error in 'bad_foreign_distributions.stan', line 17, column 10 to column 20:
//|    -------------------------------------------------
//|     15:    sigma ~ dunif(0, 100);
//|     16:    sigma ~ half_student_t(3, 0, 5);
//|     17:    sigma ~ halfcauchy(0, 5);
//|                    ^
//|     18:    alpha ~ flat();
//|     19:    sigma ~ truncated_normal(0, 1, 0, 10);
//|    -------------------------------------------------
//|
//| There is no distribution 'halfcauchy': neither a function 'halfcauchy_lpdf' nor a function 'halfcauchy_lpmf' exists. Write 'cauchy', and declare the variable with <lower=0>.
//| Semantic error in 'bad_foreign_distributions.stan', line 18, column 10 to column 14:
//|    -------------------------------------------------
//|     16:    sigma ~ half_student_t(3, 0, 5);
//|     17:    sigma ~ halfcauchy(0, 5);
//|     18:    alpha ~ flat();
//|                    ^
//|     19:    sigma ~ truncated_normal(0, 1, 0, 10);
//|     20:    y ~ normal(alpha);
//|    -------------------------------------------------
//|
//| There is no distribution 'flat': neither a function 'flat_lpdf' nor a function 'flat_lpmf' exists. Leave the statement out: a parameter without one has a flat prior.
//| Semantic error in 'bad_foreign_distributions.stan', line 19, column 10 to column 26:
//|    -------------------------------------------------
//|     17:    sigma ~ halfcauchy(0, 5);
//|     18:    alpha ~ flat();
//|     19:    sigma ~ truncated_normal(0, 1, 0, 10);
//|                    ^
//|     20:    y ~ normal(alpha);
//|     21:    alpha ~ beta(1, 2, 3);
//|    -------------------------------------------------
//|
//| There is no distribution 'truncated_normal': neither a function 'truncated_normal_lpdf' nor a function 'truncated_normal_lpmf' exists. Write 'normal' with the bounds behind it: y ~ normal(mu, sigma) T[lower, upper].
//| Semantic error in 'bad_foreign_distributions.stan', line 20, column 2 to column 20:
//|    -------------------------------------------------
//|     18:    alpha ~ flat();
//|     19:    sigma ~ truncated_normal(0, 1, 0, 10);
//|     20:    y ~ normal(alpha);
//|            ^
//|     21:    alpha ~ beta(1, 2, 3);
//|     22:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments to distribution statement for 'normal':
//| (vector, real)
//| Expected 3 arguments, found 2, the one before ~ included. Available signatures:
//| (real, real, real) => real
//| (real, real, vector) => real
//| (real, real, row_vector) => real
//| (real, real, array[] real) => real
//| (real, vector, real) => real
//| (59 further signatures are not shown)
//| It is written 'normal(mu, sigma)': sigma is a scale parameter.
//| Semantic error in 'bad_foreign_distributions.stan', line 21, column 2 to column 24:
//|    -------------------------------------------------
//|     19:    sigma ~ truncated_normal(0, 1, 0, 10);
//|     20:    y ~ normal(alpha);
//|     21:    alpha ~ beta(1, 2, 3);
//|            ^
//|     22:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments to distribution statement for 'beta':
//| (real, int, int, int)
//| Expected 3 arguments, found 4, the one before ~ included. Available signatures:
//| (real, real, real) => real
//| (real, real, vector) => real
//| (real, real, row_vector) => real
//| (real, real, array[] real) => real
//| (real, vector, real) => real
//| (59 further signatures are not shown)
//| It is written 'beta(alpha, beta)': alpha is a count parameter, beta is a count parameter.
