// RUN: --auto-format %s
// WHY: a square Cholesky factor may be written with two sizes
data { int N; }
parameters { cholesky_factor_cov[N,N] a; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: a square Cholesky factor may be written with two sizes
//| data {
//|   int N;
//| }
//| parameters {
//|   cholesky_factor_cov[N, N] a;
//| }
//|
