data {
  int<lower=0> N;
  vector[N] year;
  vector[N] y;
}
transformed data {
  vector[N] since = year - mean(year);
}
parameters {
  real alpha;
  real beta;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(0, 100);
  beta ~ normal(0, 10);
  sigma ~ exponential(1);
  y ~ normal(alpha + beta * since, sigma);
}
