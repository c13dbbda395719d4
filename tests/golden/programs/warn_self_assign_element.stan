// RUN: %s
// WHY: two equal elements
model {
  vector[2] a = [1, 2]';
  a[1] = a[1];
}
//|exit 0
//|stderr
//| Warning in 'warn_self_assign_element.stan', line 5, column 2 to column 14:
//|     The two sides of this assignment are the same, so it does nothing.
//|
