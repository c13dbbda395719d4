// Twenty fields at 2000 places with a covariance that falls off with distance.
transformed data {
  int N = 2000;
  int M = 20;
  array[N] vector[2] x;
  array[M] vector[N] y;
  for (n in 1:N) {
    x[n] = [10 * (n * 0.7548777 - floor(n * 0.7548777)), 10 * (n * 0.5698403 - floor(n * 0.5698403))]';
    for (m in 1:M) y[m, n] = sin(m + x[n][1]) + 0.2 * cos(31.0 * n * m);
  }
}
parameters {
  vector[N] mu;
  real<lower=0> alpha;
  real<lower=0> rho;
  real<lower=0> sigma;
}
model {
  mu ~ normal(0, 1);
  alpha ~ normal(0, 2);
  rho ~ inv_gamma(5, 5);
  sigma ~ normal(0, 1);
  y ~ multi_normal(mu, add_diag(gp_exponential_cov(x, alpha, rho), square(sigma)));
}
