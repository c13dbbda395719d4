// RUN: %s
// WHY: integer division proposes how to write it
transformed data {
  real x = 1 / 2;
}
//|exit 0
//|stderr
//| Warning in 'warn_int_division.stan', line 4, column 11 to column 12:
//|     Found int division: 1 / 2. The result is an int, values are rounded
//|     towards zero. If rounding is intended please use the integer division
//|     operator %/%, otherwise write one side as a real number, such as 1 / 2.0.
//|
