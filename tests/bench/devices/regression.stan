// Logistic regression, a million rows of 50 columns; data are made here.
transformed data {
  int N = 1000000;
  int K = 50;
  matrix[N, K] X;
  array[N] int y;
  for (n in 1:N) {
    real eta = -0.2;
    for (k in 1:K) {
      X[n, k] = sin(0.7 * n + 1.3 * ((k * n) % 1000));
      eta += 0.1 * cos(k) * X[n, k];
    }
    y[n] = inv_logit(eta) > (n * 0.618034 - floor(n * 0.618034));
  }
}
parameters {
  real a;
  vector[K] b;
}
model {
  a ~ normal(0, 1);
  b ~ normal(0, 1);
  y ~ bernoulli_logit_glm(X, a, b);
}
