data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 10);
  for (n in 0 : N)
    y[n] ~ normal(mu, 1);
}
