// RUN: --warn-pedantic %s
// WHY: a uniform prior that the bounds do not show
parameters { real a; }
model { a ~ uniform(0, 1); }
//|exit 0
//|stderr
//| Warning in 'warn_pedantic_uniform.stan', line 4, column 8 to column 26:
//|     Parameter a is given a uniform distribution. The uniform distribution is
//|     not recommended, for two reasons: (a) Except when there are logical or
//|     physical constraints, it is very unusual for you to be sure that a
//|     parameter will fall inside a specified range, and (b) The infinite
//|     gradient induced by a uniform density can cause difficulties for Stan's
//|     sampling algorithm. As a consequence, we recommend soft constraints
//|     rather than hard constraints; for example, instead of giving an
//|     elasticity parameter a uniform(0, 1) distribution, try normal(0.5, 0.5).
//|
