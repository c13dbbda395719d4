// RUN: --warn-pedantic %s
// WHY: two distributions of one parameter
parameters { real a; }
model { a ~ normal(0, 1); a ~ normal(0, 2); }
//|exit 0
//|stderr
//| Warning in 'warn_pedantic_two_tildes.stan', line 3, column 13 to column 20:
//|     The parameter a has 2 priors.
//| Warning in 'warn_pedantic_two_tildes.stan', line 4, column 8 to column 25:
//|     The parameter a is on the left-hand side of more than one distribution
//|     statement.
//|
