// RUN: --auto-format --canonicalize=deprecations %s
// WHY: superfluous declarations go
functions {
  real f(real a);
  real f(real a) { return a; }
}
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=deprecations %s
//| // WHY: superfluous declarations go
//| functions {
//|   real f(real a) {
//|     return a;
//|   }
//| }
//|
