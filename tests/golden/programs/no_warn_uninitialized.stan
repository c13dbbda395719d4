// RUN: --warn-uninitialized %s
// WHY: set in both branches
data { int N; }
model { real a; if (N > 0) { a = 1; } else { a = 2; } print(a); }
//|exit 0
