// RUN: --warn-pedantic %s
// WHY: what data are declared to be is held against distributions, too
data { int<lower=0> N; vector<lower=0>[N] y; vector[N] z; real t; }
transformed data { vector[N] w = log1p(y); }
parameters { real m; }
model {
  m ~ normal(0, t);
  y ~ lognormal(m, 1);
  z ~ lognormal(m, 1);
  w ~ gamma(N - 1, 1);
}
//|exit 0
//|stderr
//| Warning in 'warn_pedantic_data.stan', line 5, column 13 to column 20:
//|     The parameter m has no priors. This means either no prior is provided, or
//|     the prior(s) depend on data variables. In the later case, this may be a
//|     false positive.
//| Warning in 'warn_pedantic_data.stan', line 7, column 16 to column 17:
//|     A normal distribution is given t as a scale parameter (argument 2), but t
//|     was not declared to be strictly positive.
//| Warning in 'warn_pedantic_data.stan', line 9, column 2 to column 3:
//|     z is given a lognormal distribution, which has strictly positive support,
//|     but z was not declared to be strictly positive.
//| Warning in 'warn_pedantic_data.stan', line 10, column 12 to column 17:
//|     A gamma distribution is given N - 1 as a shape parameter (argument 1),
//|     but N - 1 is not constrained to be strictly positive.
//|
