// RUN: --auto-format %s
// WHY: return with and without a value
functions { void f() { return; } real g() { return 1; } }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: return with and without a value
//| functions {
//|   void f() {
//|     return;
//|   }
//|   real g() {
//|     return 1;
//|   }
//| }
//|
