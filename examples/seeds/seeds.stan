// Binomial regression with a random effect per plate: seed variety and root extract, with their interaction.
data {
  int<lower=0> I;
  array[I] int<lower=0> n;
  array[I] int<lower=0> N;
  vector[I] x1;
  vector[I] x2;
}
transformed data {
  vector[I] x1x2 = x1 .* x2;
}
parameters {
  real alpha0;
  real alpha1;
  real alpha2;
  real alpha12;
  real<lower=0> sigma;
  vector<multiplier=sigma>[I] b;
}
model {
  alpha0 ~ normal(0, 2);
  alpha1 ~ normal(0, 2);
  alpha2 ~ normal(0, 2);
  alpha12 ~ normal(0, 2);
  sigma ~ normal(0, 1);
  b ~ normal(0, sigma);
  n ~ binomial_logit(N, alpha0 + alpha1 * x1 + alpha2 * x2 + alpha12 * x1x2 + b);
}
generated quantities {
  array[I] int n_rep = binomial_rng(N, inv_logit(alpha0 + alpha1 * x1 + alpha2 * x2 + alpha12 * x1x2 + b));
}
