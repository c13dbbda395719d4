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
