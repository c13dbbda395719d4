// RUN: %s
// WHY: two equal sides
model {
  real a = 1;
  a = a;
}
//|exit 0
//|stderr
//| Warning in 'warn_self_assign.stan', line 5, column 2 to column 8:
//|     The two sides of this assignment are the same, so it does nothing.
//|
