// RUN: %s
// WHY: a literal on the left
data {
  int a;
}
transformed data {
  real c = 1 / a;
}
//|exit 0
//|stderr
//| Warning in 'warn_int_division_left_literal.stan', line 7, column 11 to column 12:
//|     Found int division: 1 / a. The result is an int, values are rounded
//|     towards zero. If rounding is intended please use the integer division
//|     operator %/%, otherwise write one side as a real number, such as 1.0 / a.
//|
