// RUN: --auto-format %s
// WHY: annotations stand on lines of their own
functions { @inline(always, yes) real f(real x) { return x; } }
transformed data { @silence real a, b; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: annotations stand on lines of their own
//| functions {
//|   @inline(always, yes)
//|   real f(real x) {
//|     return x;
//|   }
//| }
//| transformed data {
//|   @silence
//|   real a, b;
//| }
//|
