// Multilevel regression of log radon on the measured floor; intercepts and slopes vary by county, and the county's
// intercept depends on the uranium in its soil.
data {
  int<lower=0> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> county;
  vector[N] floor_measure;
  vector[N] log_uranium;
  vector[N] log_radon;
}
parameters {
  real mu_alpha;
  real gamma;
  real mu_beta;
  real<lower=0> sigma_alpha;
  real<lower=0> sigma_beta;
  real<lower=0> sigma;
  vector<offset=mu_alpha, multiplier=sigma_alpha>[J] alpha;
  vector<offset=mu_beta, multiplier=sigma_beta>[J] beta;
}
model {
  mu_alpha ~ normal(0, 5);
  gamma ~ normal(0, 5);
  mu_beta ~ normal(0, 5);
  sigma_alpha ~ normal(0, 2);
  sigma_beta ~ normal(0, 2);
  sigma ~ normal(0, 2);
  alpha ~ normal(mu_alpha, sigma_alpha);
  beta ~ normal(mu_beta, sigma_beta);
  log_radon ~ normal(alpha[county] + gamma * log_uranium + beta[county] .* floor_measure, sigma);
}
