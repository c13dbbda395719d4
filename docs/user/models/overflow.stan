data { int N; vector[N] x; array[N] int<lower=0> y; }
parameters { real a; real b; }
model {
  a ~ normal(0, 1);
  b ~ normal(0, 1);
  for (n in 1:N) {
    real rate = exp(a + b * x[n]);
    y[n] ~ poisson(rate);
  }
}
