// RUN: --all-errors %s
// WHY: operators and habits of other languages
data {
  int<lower=0> N;
  matrix[N, N] X;
  vector[N] y;
}
parameters {
  real<0, 10> alpha;
}
model {
  if (N > 3 and N < 10) print(1);
  if (not N) print(1);
  alpha, beta ~ normal(0, 1);
  normal_lpdf(y | 0, 1);
  vector[N] a = X %*% y;
  vector[N] b = X @ y;
  matrix[N, N] c = X.T;
  vector[N] d = 2 × y;
  real α = 1;
  vector[3][2] e;
}
