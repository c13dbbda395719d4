// RUN: --filename-in-msg=shown.stan %s
// WHY: messages name the file as asked
transformed data {
  real x = 1 / 2;
}
//|exit 0
//|stderr
//| Warning in 'shown.stan', line 4, column 11 to column 12:
//|     Found int division: 1 / 2. The result is an int, values are rounded
//|     towards zero. If rounding is intended please use the integer division
//|     operator %/%, otherwise write one side as a real number, such as 1 / 2.0.
//|
