// RUN: %s
// WHY: one half as a quotient of ints
parameters {
  real y;
}
model {
  y ~ normal(1 / 2, 1);
}
//|exit 0
//|stderr
//| Warning in 'warn_new_half.stan', line 7, column 13 to column 14:
//|     Found int division: 1 / 2. The result is an int, values are rounded
//|     towards zero. If rounding is intended please use the integer division
//|     operator %/%, otherwise write one side as a real number, such as 1 / 2.0.
//|
