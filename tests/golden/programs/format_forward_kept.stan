// RUN: --auto-format %s
// WHY: and stay without asking
functions {
  real f(real a);
  real f(real a) { return a; }
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: and stay without asking
//| functions {
//|   real f(real a);
//|   real f(real a) {
//|     return a;
//|   }
//| }
//|
//|stderr
//| Warning in 'format_forward_kept.stan', line 4, column 7 to column 8:
//|     Function 'f' is declared and also defined. The declaration is not needed
//|     any more: functions may be used before they are defined.
//|
