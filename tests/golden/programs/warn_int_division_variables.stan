// RUN: %s
// WHY: both operands are variables
data {
  int a;
  int b;
}
transformed data {
  real c = a / b;
}
//|exit 0
//|stderr
//| Warning in 'warn_int_division_variables.stan', line 8, column 11 to column 12:
//|     Found int division: a / b. The result is an int, values are rounded
//|     towards zero. If rounding is intended please use the integer division
//|     operator %/%, otherwise write one side as a real number, such as a * 1.0
//|     / b.
//|
