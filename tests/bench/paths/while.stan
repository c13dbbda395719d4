data { int N; vector[N] y; }
parameters { real<lower=0> k; real<lower=0> s; }
model {
  k ~ normal(0, 1); s ~ normal(0, 1);
  for (n in 1:N) {
    real x = 1 + 0.01 * n; int i = 0;
    while (x > k && i < 50) { x *= 0.8; i += 1; }
    y[n] ~ normal(x, s);
  }
}
