// Logistic regression: does a household switch to another well, given how much arsenic its own holds, how far the next
// safe well is, and the household's education?
data {
  int<lower=0> N;
  array[N] int<lower=0, upper=1> switched;
  vector[N] dist;
  vector[N] arsenic;
  vector[N] educ;
}
transformed data {
  vector[N] dist100 = (dist - mean(dist)) / 100;
  vector[N] log_arsenic = log(arsenic) - mean(log(arsenic));
  vector[N] educ4 = (educ - mean(educ)) / 4;
  matrix[N, 4] X;
  X[ : , 1] = dist100;
  X[ : , 2] = log_arsenic;
  X[ : , 3] = educ4;
  X[ : , 4] = dist100 .* log_arsenic;
}
parameters {
  real alpha;
  vector[4] beta;
}
model {
  alpha ~ normal(0, 2.5);
  beta ~ normal(0, 2.5);
  switched ~ bernoulli_logit(alpha + X * beta);
}
generated quantities {
  real mean_switch = mean(inv_logit(alpha + X * beta));
}
