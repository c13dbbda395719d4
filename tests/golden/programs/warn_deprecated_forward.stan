// RUN: %s
// WHY: a declaration that is not needed
functions {
  real f(real a);
  real f(real a) {
    return a;
  }
}
//|exit 0
//|stderr
//| Warning in 'warn_deprecated_forward.stan', line 4, column 7 to column 8:
//|     Function 'f' is declared and also defined. The declaration is not needed
//|     any more: functions may be used before they are defined.
//|
