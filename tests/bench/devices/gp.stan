// Gaussian process at 4000 points of the plane, one length scale.
transformed data {
  int N = 4000;
  array[N] vector[2] x;
  vector[N] y;
  vector[N] mu = rep_vector(0, N);
  for (n in 1:N) {
    x[n] = [10 * (n * 0.7548777 - floor(n * 0.7548777)), 10 * (n * 0.5698403 - floor(n * 0.5698403))]';
    y[n] = sin(x[n][1]) * cos(x[n][2]) + 0.3 * sin(17.0 * n);
  }
}
parameters {
  real<lower=0> alpha;
  real<lower=0> rho;
  real<lower=0> sigma;
}
model {
  matrix[N, N] L = cholesky_decompose(add_diag(gp_exp_quad_cov(x, alpha, rho), square(sigma)));
  alpha ~ normal(0, 2);
  rho ~ inv_gamma(5, 5);
  sigma ~ normal(0, 1);
  y ~ multi_normal_cholesky(mu, L);
}
