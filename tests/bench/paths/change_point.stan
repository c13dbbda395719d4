data { int N; vector[N] t; vector[N] y; }
parameters { real tau; real a; real b; real<lower=0> s; }
model {
  tau ~ normal(0, 1); a ~ normal(0, 1); b ~ normal(0, 1); s ~ normal(0, 1);
  for (n in 1:N) {
    real mu;
    if (t[n] < tau) mu = a; else mu = a + b * (t[n] - tau);
    y[n] ~ normal(mu, s);
  }
}
