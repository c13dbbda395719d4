// Linear regression of a child's test score on the mother's IQ and schooling, with their interaction.
data {
  int<lower=0> N;
  vector[N] kid_score;
  vector[N] mom_iq;
  vector<lower=0, upper=1>[N] mom_hs;
}
transformed data {
  vector[N] iq = (mom_iq - mean(mom_iq)) / sd(mom_iq);
  matrix[N, 3] X = append_col(append_col(iq, mom_hs), iq .* mom_hs);
}
parameters {
  real alpha;
  vector[3] beta;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(90, 30);
  beta ~ normal(0, 20);
  sigma ~ exponential(0.05);
  kid_score ~ normal_id_glm(X, alpha, beta, sigma);
}
generated quantities {
  real r_squared = variance(X * beta) / (variance(X * beta) + square(sigma));
}
