// A product of two matrices of 2000 x 2000 that depend on parameters: two kernels of a Gaussian process, one after the other.
transformed data {
  int N = 2000;
  array[N] real x;
  vector[N] y;
  for (n in 1:N) {
    x[n] = 0.01 * n;
    y[n] = sin(0.02 * n) + 0.3 * sin(17.0 * n);
  }
}
parameters {
  real<lower=0> alpha;
  real<lower=0> rho;
  real<lower=0> lambda;
  vector[N] e;
}
model {
  matrix[N, N] A = gp_exp_quad_cov(x, alpha, rho);
  matrix[N, N] B = gp_matern32_cov(x, 1, lambda);
  alpha ~ normal(0, 1);
  rho ~ inv_gamma(5, 5);
  lambda ~ inv_gamma(5, 5);
  e ~ std_normal();
  y ~ normal((A * B) * e, 1);
}
