// RUN: %s
// WHY: a variable in its own initial value
transformed data {
  real a = a + 1;
}
//|exit 1
//|stderr
//| Warning in 'warn_self_init.stan', line 4, column 2 to column 17:
//|     Variable 'a' is used in its own initial value.
//|
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
