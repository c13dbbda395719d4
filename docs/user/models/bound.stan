data {
  int<lower=1> N;
  vector<lower=0>[N] y;
}
parameters {
  real<lower=0> theta;
}
model {
  theta ~ exponential(0.1);
  y ~ uniform(0, theta);
}
