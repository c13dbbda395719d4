// RUN: --warn-pedantic %s
// WHY: elements and slices have the bounds of their variable
parameters { vector[2] a; vector<lower=0>[2] s; }
model {
  a[1] ~ normal(0, s[1]);
  a[2] ~ normal(0, a[1]);
  s[1:2] ~ lognormal(0, a[1:2]);
  a[1:2] ~ lognormal(0, 1);
}
//|exit 0
//|stderr
//| Warning in 'warn_pedantic_element.stan', line 3, column 13 to column 25:
//|     The parameter a has 4 priors.
//| Warning in 'warn_pedantic_element.stan', line 3, column 26 to column 47:
//|     The parameter s has 2 priors.
//| Warning in 'warn_pedantic_element.stan', line 6, column 19 to column 23:
//|     A normal distribution is given a[1] as a scale parameter (argument 2),
//|     but a was not constrained to be strictly positive.
//| Warning in 'warn_pedantic_element.stan', line 7, column 24 to column 30:
//|     A lognormal distribution is given a[1:2] as a scale parameter (argument
//|     2), but a was not constrained to be strictly positive.
//| Warning in 'warn_pedantic_element.stan', line 8, column 2 to column 8:
//|     a[1:2] is given a lognormal distribution, which has strictly positive
//|     support, but a was not constrained to be strictly positive.
//|
