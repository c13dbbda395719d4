// RUN: --warn-pedantic %s
// WHY: functions of the program are looked into: what they return, and what they do with their arguments
functions {
  real scale(real x) { return x - 1; }
  void prior_lp(vector b, real tau) { b ~ normal(0, tau); }
}
parameters { vector[2] b; real a; real<lower=0> s; }
model {
  prior_lp(b, a);
  prior_lp(b, s);
  a ~ normal(0, scale(s));
  s ~ normal(0, scale(s) + 1);
}
//|exit 0
//|stderr
//| Warning in 'warn_pedantic_function.stan', line 5, column 52 to column 55:
//|     A normal distribution in function prior_lp is given tau as a scale
//|     parameter (argument 2). At 'warn_pedantic_function.stan', line 9, column
//|     2 to column 17, tau is not constrained to be strictly positive.
//| Warning in 'warn_pedantic_function.stan', line 7, column 13 to column 25:
//|     The parameter b has 2 priors.
//| Warning in 'warn_pedantic_function.stan', line 7, column 26 to column 33:
//|     The parameter a has 2 priors.
//| Warning in 'warn_pedantic_function.stan', line 7, column 34 to column 50:
//|     The parameter s has 3 priors.
//| Warning in 'warn_pedantic_function.stan', line 11, column 16 to column 24:
//|     A normal distribution is given scale(s) as a scale parameter (argument
//|     2), but scale(s) is not constrained to be strictly positive.
//|
