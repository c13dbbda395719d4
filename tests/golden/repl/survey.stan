data {
  int<lower=0> N;
  int<lower=0> J;
  array[N] int<lower=1, upper=J> county;
  vector[N] y;
  real<lower=0> scale;
}
parameters {
  vector[J] alpha;
}
model {
  alpha ~ normal(0, scale);
  y ~ normal(alpha[county], 1);
}
