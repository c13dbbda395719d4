// RUN: --allow-undefined %s
// WHY: a declared function may be external
functions {
  real f(real a);
}
transformed data {
  real a = f(1);
}
//|exit 0
