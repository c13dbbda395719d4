// RUN: --O1 --debug-mem-patterns %s
// WHY: a container made of data and scalars is kept by element, also where a container is in it only as a sum or as data that are repeated
data {
  int N;
  array[N] real x;
  vector[N] d;
}
parameters {
  real<lower=0> a;
  vector[N] p;
}
model {
  vector[N] summed = sum(p) * d;
  vector[N] element = p[1] * d;
  vector[N] data_repeated = a * exp(rep_vector(1, N));
  matrix[N, N] covariance = gp_exp_quad_cov(x, a, 1) + diag_matrix(rep_vector(1e-10, N));
  matrix[N, N] taken_apart = diag_matrix(rep_vector(a, N)) + rep_matrix(1, N, N);
  vector[N] parameter_repeated = rep_vector(sum(p), N) + d;
  matrix[N, N] factor = cholesky_decompose(covariance);
  target += sum(factor * p) + sum(taken_apart) + sum(summed + element + data_repeated + parameter_repeated);
}
//|exit 0
//|stdout
//| vector[N] p: SoA
//| vector[N] summed: AoS
//| vector[N] element: AoS
//| vector[N] data_repeated: AoS
//| matrix[N, N] covariance: AoS
//| matrix[N, N] taken_apart: AoS
//| vector[N] parameter_repeated: SoA
//| matrix[N, N] factor: AoS
//| Optimization hazard warning (Line 13): SoA warning: Right hand side contains only AoS expressions: summed
//| Optimization hazard warning (Line 13): SoA warning: The right hand side of the assignment only contains data and scalar operations that are not promotable to SoA: summed
//| Optimization hazard warning (Line 14): SoA warning: Right hand side contains only AoS expressions: element
//| Optimization hazard warning (Line 14): SoA warning: The right hand side of the assignment only contains data and scalar operations that are not promotable to SoA: element
//| Optimization hazard warning (Line 15): SoA warning: Right hand side contains only AoS expressions: data_repeated
//| Optimization hazard warning (Line 15): SoA warning: The right hand side of the assignment only contains data and scalar operations that are not promotable to SoA: data_repeated
//| Optimization hazard warning (Line 16): SoA warning: Right hand side contains only AoS expressions: covariance
//| Optimization hazard warning (Line 16): SoA warning: The right hand side of the assignment only contains data and scalar operations that are not promotable to SoA: covariance
//| Optimization hazard warning (Line 17): SoA warning: Right hand side contains only AoS expressions: taken_apart
//| Optimization hazard warning (Line 17): SoA warning: The right hand side of the assignment only contains data and scalar operations that are not promotable to SoA: taken_apart
//| Optimization hazard warning (Line 19): SoA warning: Right hand side contains only AoS expressions: factor
//|stderr
//| 'summed' is AoS: the right side is computed by element (in 'mem_patterns_scalars.stan', line 13, column 21 to column 31): sum(p) * d
//| 'element' is AoS: the right side is computed by element (in 'mem_patterns_scalars.stan', line 14, column 22 to column 30): p[1] * d
//| 'data_repeated' is AoS: the right side is computed by element (in 'mem_patterns_scalars.stan', line 15, column 28 to column 53): a * exp(rep_vector(1, N))
//| 'covariance' is AoS: the right side is computed by element (in 'mem_patterns_scalars.stan', line 16, column 28 to column 88): gp_exp_quad_cov(x, a, 1) + diag_matrix(rep_vector(1e-10, N))
//| 'taken_apart' is AoS: the right side is computed by element (in 'mem_patterns_scalars.stan', line 17, column 29 to column 80): diag_matrix(rep_vector(a, N)) + rep_matrix(1, N, N)
//| 'factor' is AoS: what is assigned to it is AoS: covariance (in 'mem_patterns_scalars.stan', line 19, column 2 to column 55): matrix[N, N] factor = cholesky_decompose(covariance);
