// RUN: --warn-uninitialized %s
// WHY: set in one branch only
data { int N; }
model { real a; if (N > 0) { a = 1; } print(a); }
//|exit 0
//|stderr
//| Warning in 'warn_uninitialized_branch.stan', line 4, column 44 to column 45:
//|     The variable a may not have been assigned a value before its use.
//|
