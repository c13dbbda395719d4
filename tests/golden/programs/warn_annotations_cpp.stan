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
