// RUN: --allow-undefined %s
// WHY: a declared function may be external
functions {
  real f(real a);
}
transformed data {
  real a = f(1);
}
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
