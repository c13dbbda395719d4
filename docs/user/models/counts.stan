data {
  int<lower=0> y;
}
parameters {
  int<lower=0> n;
}
model {
  y ~ binomial(n, 0.5);
}
