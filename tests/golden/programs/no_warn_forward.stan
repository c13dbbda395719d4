// RUN: --canonicalize=deprecations %s
// WHY: no warning while deprecations are rewritten
functions {
  real f(real a);
  real f(real a) {
    return a;
  }
}
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
