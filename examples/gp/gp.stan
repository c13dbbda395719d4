// Head acceleration after a motorcycle impact as a smooth function of time: Gaussian process with squared exponential
// covariance, the function itself integrated out.
data {
  int<lower=1> N;
  array[N] real t;
  vector[N] accel;
}
transformed data {
  array[N] real x;
  vector[N] y = (accel - mean(accel)) / sd(accel);
  vector[N] zero = zeros_vector(N);
  for (n in 1 : N) {
    x[n] = (t[n] - mean(t)) / sd(t);
  }
}
parameters {
  real<lower=0> alpha;
  real<lower=0> rho;
  real<lower=0> sigma;
}
model {
  matrix[N, N] K = add_diag(gp_exp_quad_cov(x, alpha, rho), square(sigma) + 1e-9);
  alpha ~ normal(0, 2);
  rho ~ inv_gamma(5, 2);
  sigma ~ normal(0, 1);
  y ~ multi_normal_cholesky(zero, cholesky_decompose(K));
}
