data {
  int<lower=0> N;
  int<lower=0> J;
  array[N] int<lower=1, upper=J> county;
  vector[N] basement;
  vector[N] log_radon;
}
parameters {
  vector[J] alpha;
  real beta;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(1, 1);
  beta ~ normal(0, 1);
  sigma ~ exponential(1);
  log_radon ~ normal(alpha[county] + beta * basement, sigma);
}
