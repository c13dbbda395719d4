// RUN: --canonicalize=deprecations %s
// WHY: no warning while deprecations are rewritten
model {
  real a;
  a <- 1;
}
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
