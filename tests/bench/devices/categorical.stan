// Logistic regression with five categories, a million rows of 20 columns.
transformed data {
  int N = 1000000;
  int K = 20;
  int C = 5;
  matrix[N, K] X;
  array[N] int y;
  for (n in 1:N) {
    real eta = 0;
    for (k in 1:K) {
      X[n, k] = sin(0.7 * n + 1.3 * ((k * n) % 1000));
      eta += 0.2 * cos(k) * X[n, k];
    }
    y[n] = 1 + (n * 7 + (eta > 0)) % C;
  }
}
parameters {
  vector[C] a;
  matrix[K, C] b;
}
model {
  a ~ normal(0, 1);
  to_vector(b) ~ normal(0, 1);
  y ~ categorical_logit_glm(X, a, b);
}
