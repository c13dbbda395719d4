data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real a;
  real b;
}
model {
  a ~ normal(0, 5);
  b ~ normal(0, 5);
  y ~ normal(a + b, 1);
}
