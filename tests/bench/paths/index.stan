data { int N; vector[N] y; vector[20] g; }
parameters { real k; vector[20] v; real<lower=0> s; }
model {
  k ~ normal(0, 1); v ~ normal(0, 1); s ~ normal(0, 1);
  for (n in 1:N) {
    int i = 1;
    while (i < 20 && g[i] < k + 0.001 * n) i += 1;
    y[n] ~ normal(v[i], s);
  }
}
