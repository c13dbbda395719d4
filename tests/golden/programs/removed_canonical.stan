// RUN: --auto-format --canonicalize=deprecations %s
// WHY: everything old is rewritten
# old
functions {
  real[] f(int[,] a) {
    return rep_array(1.0, 2);
  }
}
data {
  int N;
  vector[2] a[N], b;
  int<lower=0> c[2, 3], d[4];
}
model {
  real x;
  x <- if_else(N > 1, 1, 2);
  increment_log_prob(normal_log(x, 0, 1) + get_lp());
  x <- multiply_log(x, fabs(x)) + binomial_coefficient_log(3, 2);
  x <- normal_cdf(x, 0, 1) + normal_cdf_log(x, 0, 1) + normal_ccdf_log(x, 0, 1);
  x ~ normal_log(0, 1);
}
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=deprecations %s
//| // WHY: everything old is rewritten
//| // old
//| functions {
//|   array[] real f(array[,] int a) {
//|     return rep_array(1.0, 2);
//|   }
//| }
//| data {
//|   int N;
//|   array[N] vector[2] a;
//|   vector[2] b;
//|   array[2, 3] int<lower=0> c;
//|   array[4] int<lower=0> d;
//| }
//| model {
//|   real x;
//|   x = ((N > 1) ? 1 : 2);
//|   target += normal_lpdf(x | 0, 1) + target();
//|   x = lmultiply(x, abs(x)) + lchoose(3, 2);
//|   x = normal_cdf(x | 0, 1) + normal_lcdf(x | 0, 1) + normal_lccdf(x | 0, 1);
//|   x ~ normal(0, 1);
//| }
//|
