// RUN: --warn-uninitialized %s
// WHY: a variable that is read before it is set
model { real a; print(a); }
//|exit 0
//|stderr
//| Warning in 'warn_uninitialized_local.stan', line 3, column 22 to column 23:
//|     The variable a may not have been assigned a value before its use.
//|
