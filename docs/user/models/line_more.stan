data {
  int<lower=0> N;
  vector[N] x;
  vector[N] y;
}
parameters {
  real alpha;
  real beta;
  real<lower=0> sigma;
}
generated quantities {
  real at_10 = normal_rng(alpha + beta * 10, sigma);
  int steeper_than_2 = beta > 2;
}
