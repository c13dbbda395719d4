// A million rows in ten thousand groups, with intercepts and slopes that vary.
transformed data {
  int N = 1000000;
  int J = 10000;
  array[N] int g;
  vector[N] x;
  array[N] int y;
  for (n in 1:N) {
    g[n] = 1 + (n * 79) % J;
    x[n] = sin(0.01 * n);
    y[n] = 0.2 * x[n] + 0.3 * sin(g[n]) + cos(17.0 * n) > 0;
  }
}
parameters {
  real a;
  real b;
  vector[J] u;
  vector[J] v;
  real<lower=0> su;
  real<lower=0> sv;
}
model {
  a ~ normal(0, 1);
  b ~ normal(0, 1);
  u ~ normal(0, su);
  v ~ normal(0, sv);
  su ~ normal(0, 1);
  sv ~ normal(0, 1);
  y ~ bernoulli_logit(a + u[g] + (b + v[g]) .* x);
}
