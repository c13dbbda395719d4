// Short (1) and long (2) eruptions of Old Faithful in sequence: two hidden states with their own chance of a long
// eruption and Markov transitions between them; the forward algorithm sums the states out.
data {
  int<lower=1> T;
  array[T] int<lower=1, upper=2> y;
}
parameters {
  array[2] simplex[2] Gamma;
  ordered[2] logit_long;
}
transformed parameters {
  vector<lower=0, upper=1>[2] p_long = inv_logit(logit_long);
}
model {
  matrix[2, 2] log_Gamma;
  vector[2] log_alpha;
  logit_long ~ normal(0, 2.5);
  for (k in 1 : 2) {
    Gamma[k] ~ dirichlet(rep_vector(2, 2));
    log_Gamma[k] = log(Gamma[k])';
  }
  for (k in 1 : 2) {
    log_alpha[k] = -log(2) + bernoulli_lpmf(y[1] - 1 | p_long[k]);
  }
  for (t in 2 : T) {
    vector[2] next;
    for (k in 1 : 2) {
      next[k] = log_sum_exp(log_alpha + log_Gamma[ : , k]) + bernoulli_lpmf(y[t] - 1 | p_long[k]);
    }
    log_alpha = next;
  }
  target += log_sum_exp(log_alpha);
}
