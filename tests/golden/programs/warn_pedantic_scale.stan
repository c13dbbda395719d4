// RUN: --warn-pedantic %s
// WHY: a scale that may be negative
parameters { real a; real b; }
model { a ~ normal(0, b); b ~ normal(0, 1); }
//|exit 0
//|stderr
//| Warning in 'warn_pedantic_scale.stan', line 3, column 21 to column 28:
//|     The parameter b has 2 priors.
//| Warning in 'warn_pedantic_scale.stan', line 4, column 22 to column 23:
//|     A normal distribution is given parameter b as a scale parameter (argument
//|     2), but b was not constrained to be strictly positive.
//|
