// RUN: %s
// WHY: a literal on the right
data {
  int a;
}
transformed data {
  real c = a / 2;
}
//|exit 0
//|stderr
//| Warning in 'warn_int_division_literal.stan', line 7, column 11 to column 12:
//|     Found int division: a / 2. The result is an int, values are rounded
//|     towards zero. If rounding is intended please use the integer division
//|     operator %/%, otherwise write one side as a real number, such as a / 2.0.
//|
