// log10 of the yearly lynx trappings as an autoregressive process of order K.
data {
  int<lower=0> K;
  int<lower=K> T;
  array[T] int<lower=1> trapped;
}
transformed data {
  vector[T] y;
  for (t in 1 : T) {
    y[t] = log10(trapped[t]);
  }
}
parameters {
  real alpha;
  array[K] real beta;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(0, 5);
  beta ~ normal(0, 2);
  sigma ~ exponential(1);
  for (t in (K + 1) : T) {
    real mu = alpha;
    for (k in 1 : K) {
      mu += beta[k] * y[t - k];
    }
    y[t] ~ normal(mu, sigma);
  }
}
generated quantities {
  real next_year;
  {
    real mu = alpha;
    for (k in 1 : K) {
      mu += beta[k] * y[T + 1 - k];
    }
    next_year = normal_rng(mu, sigma);
  }
}
