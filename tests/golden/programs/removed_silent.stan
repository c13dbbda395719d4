// RUN: --canonicalize=deprecations %s
// WHY: no warning while deprecations are rewritten
model {
  real a;
  a <- 1;
}
//|exit 0
