// RUN: %s
// WHY: a variable in its own initial value
transformed data {
  real a = a + 1;
}
//|exit 0
//|stderr
//| Warning in 'warn_self_init.stan', line 4, column 2 to column 17:
//|     Variable 'a' is used in its own initial value.
//|
