// Dense linear algebra of order N, one function at a time: linear_algebra.py runs it.
data {
  int<lower=1> N;
  int<lower=1> which;
  array[N] real x;
  vector[N] y;
  matrix[N, N] S;
  matrix[N, N] T;
}
parameters {
  real<lower=0> alpha;
  real<lower=0> rho;
  real<lower=0> sigma;
}
model {
  if (which == 1) {
    matrix[N, N] K = add_diag(gp_exp_quad_cov(x, alpha, rho), square(sigma));
    y ~ multi_normal_cholesky(rep_vector(0, N), cholesky_decompose(K));
  } else if (which == 2) {
    target += sigma * sum(cholesky_decompose(S + alpha * T));
  } else if (which == 3) {
    target += sum(mdivide_left_tri_low(S + alpha * T, y));
  } else if (which == 4) {
    target += sum(mdivide_left_tri_low(S + alpha * T, T + sigma));
  } else if (which == 5) {
    y ~ multi_normal(rep_vector(sigma, N), S + alpha * T);
  } else if (which == 6) {
    target += sum(gp_exp_quad_cov(x, alpha, rho));
  } else if (which == 7) {
    target += sum(gp_matern32_cov(x, alpha, rho));
  } else if (which == 8) {
    target += sum(gp_matern52_cov(x, alpha, rho));
  } else if (which == 9) {
    target += sum(gp_exponential_cov(x, alpha, rho));
  } else if (which == 10) {
    target += sum(gp_periodic_cov(x, alpha, rho, 3.0 + sigma));
  } else if (which == 11) {
    target += sum((S + alpha * T) * (T + sigma * S));
  } else if (which == 12) {
    target += sum(multiply_lower_tri_self_transpose(S + alpha * T));
  } else if (which == 13) {
    y ~ multi_normal_prec(rep_vector(sigma, N), S + alpha * T);
  } else if (which == 14) {
    target += sum(mdivide_left_spd(S + alpha * T, T + sigma));
  } else if (which == 15) {
    target += log_determinant(S + alpha * T);
  } else if (which == 16) {
    target += sum(mdivide_left(S + alpha * T, y));
  } else if (which == 17) {
    target += log_determinant_spd(S + alpha * T);
  } else if (which == 18) {
    target += sum(inverse_spd(S + alpha * T));
  } else if (which == 19) {
    target += sum(inverse(S + alpha * T));
  }
}
