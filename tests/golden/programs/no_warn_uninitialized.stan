// RUN: --warn-uninitialized %s
// WHY: set in both branches
data { int N; }
model { real a; if (N > 0) { a = 1; } else { a = 2; } print(a); }
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
