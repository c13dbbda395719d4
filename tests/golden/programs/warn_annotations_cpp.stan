// RUN: %s
// WHY: annotations without an effect in the C++ are warnings
functions {
  real f(real x) {
    return x ^ 3;
  }
  @grad_adj_jac(f, 1)
  real f_x(real x, real adj) {
    return 3 * x ^ 2 * adj;
  }
}
model {
  @gpu
  real a = f(1);
}
//|exit 0
//|stderr
//| Warning in 'warn_annotations_cpp.stan', line 7, column 2 to column 21:
//|     Annotation '@grad_adj_jac(f, 1)' has no effect in the C++ that stanc
//|     writes: gradients there are by automatic differentiation; 'fermiac' uses
//|     it.
//| Warning in 'warn_annotations_cpp.stan', line 13, column 2 to column 6:
//|     Annotation '@gpu' has no effect in the C++ that stanc writes: only
//|     'fermiac --device' evaluates on a device at its request.
//|
