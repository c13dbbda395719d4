// Dense linear algebra of order N, one function at a time: linear_algebra.py runs it.
data {
  int<lower=1> N;
  int<lower=1> which;
  array[N] real x;
  vector[N] y;
  matrix[N, N] S;
  matrix[N, N] T;
}
transformed data {
  array[N] vector[3] points;
  for (i in 1:N) points[i] = [x[i], sin(x[i]), cos(2 * x[i])]';
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
  } else if (which == 20) {
    target += sum(gp_exp_quad_cov(points, alpha, rho));
  } else if (which == 21) {
    target += sum(gp_exp_quad_cov(points, alpha, {rho, alpha, sigma}));
  } else if (which == 22) {
    array[N] vector[3] moved;
    for (i in 1:N) moved[i] = sigma * points[i];
    target += sum(gp_exp_quad_cov(moved, alpha, rho));
  } else if (which == 23) {
    target += sum(gp_exp_quad_cov(x, to_array_1d(y), alpha, rho));
  } else if (which == 24) {
    target += sum(gp_matern32_cov(points, alpha, {rho, alpha, sigma}));
  } else if (which == 25) {
    target += sum(gp_matern52_cov(points, alpha, {rho, alpha, sigma}));
  } else if (which == 26) {
    target += sum(gp_exponential_cov(points, alpha, {rho, alpha, sigma}));
  } else if (which == 27) {
    array[N] vector[3] moved;
    for (i in 1:N) moved[i] = sigma * points[i];
    target += sum(gp_matern52_cov(moved, alpha, rho));
  } else if (which == 28) {
    array[N] vector[3] moved;
    for (i in 1:N) moved[i] = sigma * points[i];
    target += sum(gp_periodic_cov(moved, alpha, rho, 3.0 + sigma));
  } else if (which == 29) {
    target += sum(gp_dot_prod_cov(points, sigma));
  } else if (which == 30) {
    array[N] vector[3] moved;
    for (i in 1:N) moved[i] = sigma * points[i];
    target += sum(gp_dot_prod_cov(moved, sigma));
  } else if (which == 31) {
    target += sum(mdivide_left(S + alpha * T, T + sigma));
  } else if (which == 32) {
    target += sum(mdivide_right(T + sigma, S + alpha * T));
  } else if (which == 33) {
    target += determinant((S + alpha * T) / (2 + 0.01 * N));
  } else if (which == 34) {
    target += sum(chol2inv(cholesky_decompose(S + alpha * T)));
  } else if (which == 35) {
    target += sum(mdivide_right_spd(T + sigma, S + alpha * T));
  } else if (which == 36) {
    target += sum(mdivide_right_tri_low(T + sigma, S + alpha * T));
  } else if (which == 37) {
    target += sum(crossprod(S + alpha * T));
  } else if (which == 38) {
    target += sum(tcrossprod(S + alpha * T));
  } else if (which == 39) {
    target += sum(quad_form(S + alpha * T, T + sigma));
  } else if (which == 40) {
    target += sum(quad_form_sym(S + alpha * T, T + sigma));
  } else if (which == 41) {
    target += sum(quad_form_diag(S + alpha * T, y + sigma));
  } else if (which == 42) {
    target += sum(diag_pre_multiply(y + sigma, S + alpha * T));
  } else if (which == 43) {
    target += trace_quad_form(S + alpha * T, T + sigma);
  } else if (which == 44) {
    target += trace_gen_quad_form(S + sigma, S + alpha * T, T + sigma);
  } else if (which == 45) {
    target += sum(add_diag(S + alpha * T, sigma));
  } else if (which == 46) {
    target += sum(matrix_power(0.1 * S + alpha * T, 3));
  } else if (which == 47) {
    target += sum(eigenvalues_sym(S + alpha * T));
  } else if (which == 48) {
    target += sum(singular_values(S + alpha * T));
  } else if (which == 49) {
    target += sum(qr_thin_R(S + alpha * T));
  } else if (which == 50) {
    target += sum(matrix_exp(0.1 * (S + alpha * T)));
  } else if (which == 51) {
    target += multi_student_t_lpdf(y | 4 + alpha, rep_vector(sigma, N), S + alpha * T);
  } else if (which == 52) {
    target += wishart_lpdf(S + alpha * T | N + 5, T + 0.1 * S);
  } else if (which == 53) {
    target += inv_wishart_lpdf(S + alpha * T | N + 5, T + 0.1 * S);
  } else if (which == 54) {
    target += multi_gp_lpdf(S | S + alpha * T, rep_vector(1 + sigma, N));
  }
}
