// Ordered logistic regression with five categories, a million rows of 50 columns.
transformed data {
  int N = 1000000;
  int K = 50;
  matrix[N, K] X;
  array[N] int y;
  for (n in 1:N) {
    real eta = 2 * sin(13.0 * n);
    for (k in 1:K) {
      X[n, k] = sin(0.7 * n + 1.3 * ((k * n) % 1000));
      eta += 0.1 * cos(k) * X[n, k];
    }
    y[n] = eta < -1.5 ? 1 : eta < -0.5 ? 2 : eta < 0.5 ? 3 : eta < 1.5 ? 4 : 5;
  }
}
parameters {
  vector[K] b;
  ordered[4] c;
}
model {
  b ~ normal(0, 1);
  c ~ normal(0, 3);
  y ~ ordered_logistic_glm(X, b, c);
}
