// RUN: --warn-pedantic %s
// WHY: a transformed variate
parameters { real<lower=0> a; }
model { log(a) ~ normal(0, 1); }
//|exit 0
//|stderr
//| Warning in 'warn_pedantic_jacobian.stan', line 4, column 8 to column 30:
//|     Left-hand side of distribution statement (~) may contain a non-linear
//|     transform of a parameter or local variable. If it does, you need to
//|     include a target += statement with the log absolute determinant of the
//|     Jacobian of the transform.
//|
