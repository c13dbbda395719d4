// RUN: --canonicalize=deprecations %s
// WHY: no warning while deprecations are rewritten
functions {
  real f(real a);
  real f(real a) {
    return a;
  }
}
//|exit 0
