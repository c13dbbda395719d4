// RUN: %s
// WHY: type warnings come before deprecations
functions {
  real f(real a);
  real f(real a) {
    return a;
  }
}
transformed data {
  real a = 1 / 2;
  real b = 3 / 4;
}
//|exit 0
//|stderr
//| Warning in 'warn_two_groups.stan', line 10, column 11 to column 12:
//|     Found int division: 1 / 2. The result is an int, values are rounded
//|     towards zero. If rounding is intended please use the integer division
//|     operator %/%, otherwise write one side as a real number, such as 1 / 2.0.
//| Warning in 'warn_two_groups.stan', line 11, column 11 to column 12:
//|     Found int division: 3 / 4. The result is an int, values are rounded
//|     towards zero. If rounding is intended please use the integer division
//|     operator %/%, otherwise write one side as a real number, such as 3 / 4.0.
//|
//| Warning in 'warn_two_groups.stan', line 4, column 7 to column 8:
//|     Function 'f' is declared and also defined. The declaration is not needed
//|     any more: functions may be used before they are defined.
//|
