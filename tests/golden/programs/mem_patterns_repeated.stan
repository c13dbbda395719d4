// RUN: --O1 --debug-mem-patterns %s
// WHY: what rep_vector makes of data is no container that carries derivatives: beside scalars that do, the sum is kept by element
data {
  int N;
  array[N] real x;
}
parameters {
  real<lower=0> rho;
  real a;
  vector[N] z;
}
model {
  matrix[N, N] cov = gp_exp_quad_cov(x, a, rho) + diag_matrix(rep_vector(1e-10, N));
  matrix[N, N] L = cholesky_decompose(cov);
  vector[N] shifted = rep_vector(1, N) + [a, rho]';
  vector[N] repeated = rep_vector(a, N) + [a, rho]';
  target += sum(L * z) + sum(shifted) + sum(repeated);
}
//|exit 0
//|stdout
//| vector[N] z: SoA
//| matrix[N, N] cov: AoS
//| matrix[N, N] L: AoS
//| vector[N] shifted: AoS
//| vector[N] repeated: SoA
//| Optimization hazard warning (Line 13): SoA warning: Right hand side contains only AoS expressions: cov
//| Optimization hazard warning (Line 13): SoA warning: The right hand side of the assignment only contains data and scalar operations that are not promotable to SoA: cov
//| Optimization hazard warning (Line 14): SoA warning: Right hand side contains only AoS expressions: L
//| Optimization hazard warning (Line 15): SoA warning: Right hand side contains only AoS expressions: shifted
//| Optimization hazard warning (Line 15): SoA warning: The right hand side of the assignment only contains data and scalar operations that are not promotable to SoA: shifted
//|stderr
//| 'cov' is AoS: the right side is computed by element (in 'mem_patterns_repeated.stan', line 13, column 21 to column 83): gp_exp_quad_cov(x, a, rho) + diag_matrix(rep_vector(1e-10, N …
//| 'L' is AoS: what is assigned to it is AoS: cov (in 'mem_patterns_repeated.stan', line 14, column 2 to column 43): matrix[N, N] L = cholesky_decompose(cov);
//| 'shifted' is AoS: the right side is computed by element (in 'mem_patterns_repeated.stan', line 15, column 22 to column 50): rep_vector(1, N) + [a, rho]'
