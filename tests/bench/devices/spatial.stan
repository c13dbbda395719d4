// A covariance written element by element, at 3000 places.
transformed data {
  int N = 3000;
  matrix[N, N] D;
  vector[N] y;
  vector[N] mu = rep_vector(0, N);
  {
    matrix[N, 2] p;
    for (n in 1:N) p[n] = [10 * (n * 0.7548777 - floor(n * 0.7548777)), 10 * (n * 0.5698403 - floor(n * 0.5698403))];
    for (n in 1:N) {
      D[, n] = sqrt(square(p[, 1] - p[n, 1]) + square(p[, 2] - p[n, 2]));
      y[n] = sin(p[n, 1]) * cos(p[n, 2]) + 0.3 * sin(17.0 * n);
    }
  }
}
parameters {
  real<lower=0> alpha;
  real<lower=0> rho;
  real<lower=0> sigma;
}
model {
  matrix[N, N] K = square(alpha) * exp(-D / rho);
  for (n in 1:N) K[n, n] = K[n, n] + square(sigma);
  alpha ~ normal(0, 2);
  rho ~ inv_gamma(5, 5);
  sigma ~ normal(0, 1);
  y ~ multi_normal(mu, K);
}
