// RUN: %s
// WHY: annotations that mean nothing are warnings, never errors
functions {
  @inlin
  real f(real x) {
    return x;
  }
  @grad_adj_jac(f, 3)
  real g(real x, real adj) {
    return adj;
  }
  @extern
  real h(real x);
}
model {
  @const
  vector[2] v = [1, 2]';
  v[1] = 3;
  @inline
  real a = f(1);
}
//|exit 0
//|stderr
//| Warning in 'warn_annotations.stan', line 4, column 2 to column 8:
//|     Annotation '@inlin' is unknown and ignored. Did you mean '@inline'?
//| Warning in 'warn_annotations.stan', line 8, column 2 to column 21:
//|     Annotation '@grad_adj_jac(f, 3)' is ignored: 'f' has no argument number
//|     3.
//| Warning in 'warn_annotations.stan', line 18, column 2 to column 6:
//|     Variable 'v' is declared @const, which promises that it is only assigned
//|     as a whole, but a part of it is assigned here.
//| Warning in 'warn_annotations.stan', line 19, column 2 to column 9:
//|     Annotation '@inline' means nothing before a variable declaration and is
//|     ignored.
//|
