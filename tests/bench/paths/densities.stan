data { int N; vector[N] t; vector[N] y; }
parameters { real tau; real a; real b; real<lower=0> s1; real<lower=0> s2; }
model {
  tau ~ normal(0, 1); a ~ normal(0, 1); b ~ normal(0, 1); s1 ~ normal(0, 1); s2 ~ normal(0, 1);
  for (n in 1:N) {
    if (t[n] < tau) target += normal_lpdf(y[n] | a, s1);
    else target += normal_lpdf(y[n] | b, s2);
  }
}
