// RUN: --warn-pedantic %s
// WHY: ranges of expressions follow from those of their variables; what nothing bounds is left to the author
parameters { real a; real<lower=0> s; real<lower=0, upper=1> u; }
model {
  real e = exp(a);
  s ~ normal(0, e);
  s ~ normal(0, -e);
  s ~ normal(0, s - 1);
  s ~ normal(0, a + s);
  1 ~ bernoulli(1 - u);
  1 ~ bernoulli(u - 1);
}
//|exit 0
//|stderr
//| Warning in 'warn_pedantic_arithmetic.stan', line 3, column 13 to column 20:
//|     The parameter a has 3 priors.
//| Warning in 'warn_pedantic_arithmetic.stan', line 3, column 21 to column 37:
//|     The parameter s has 4 priors.
//| Warning in 'warn_pedantic_arithmetic.stan', line 3, column 38 to column 63:
//|     The parameter u has 2 priors.
//| Warning in 'warn_pedantic_arithmetic.stan', line 6, column 2 to column 19:
//|     The parameter s is on the left-hand side of more than one distribution
//|     statement.
//| Warning in 'warn_pedantic_arithmetic.stan', line 7, column 16 to column 18:
//|     A normal distribution is given -e as a scale parameter (argument 2), but
//|     -e is never strictly positive.
//| Warning in 'warn_pedantic_arithmetic.stan', line 8, column 16 to column 21:
//|     A normal distribution is given s - 1 as a scale parameter (argument 2),
//|     but s - 1 is not constrained to be strictly positive.
//| Warning in 'warn_pedantic_arithmetic.stan', line 11, column 16 to column 21:
//|     A bernoulli distribution is given u - 1 as chance of success (argument
//|     1), but u - 1 is not constrained to be [0,1].
//|
