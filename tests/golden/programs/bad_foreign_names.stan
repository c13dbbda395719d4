// RUN: --all-errors %s
// WHY: constants and functions by the names of R and Python, and functions that are not called
data {
  int<lower=0> N;
  matrix[N, N] X;
}
parameters {
  real alpha;
  real<lower=0> sigma;
}
model {
  real a = inf;
  real b = NaN;
  int k = not(N);
  real m = NA;
  int d = TRUE;
  real e = 2 * pi;
  vector[2] f = c(1, 2);
  vector[N] g = rep(0, N);
  matrix[N, N] h = t(X);
  real i = det(X);
  real j = max(alpha, sigma);
  print(to_string(alpha));
  for (n in N) print(n);
}
