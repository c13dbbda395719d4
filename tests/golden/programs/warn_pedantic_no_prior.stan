// RUN: --warn-pedantic %s
// WHY: a parameter without a prior
parameters { real a; }
model { }
//|exit 0
//|stderr
//| Warning in 'warn_pedantic_no_prior.stan', line 3, column 13 to column 20:
//|     The parameter a was declared but was not used in the density calculation.
//|
