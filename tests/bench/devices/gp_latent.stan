// Counts with a latent Gaussian process at 2000 points.
transformed data {
  int N = 2000;
  array[N] real x;
  array[N] int y;
  for (n in 1:N) {
    x[n] = 0.01 * n;
    y[n] = (n * 7) % 5;
  }
}
parameters {
  real<lower=0> alpha;
  real<lower=0> rho;
  real a;
  vector[N] eta;
}
model {
  matrix[N, N] L = cholesky_decompose(add_diag(gp_matern32_cov(x, alpha, rho), 1e-6));
  alpha ~ normal(0, 2);
  rho ~ inv_gamma(5, 5);
  a ~ normal(0, 1);
  eta ~ std_normal();
  y ~ poisson_log(a + L * eta);
}
