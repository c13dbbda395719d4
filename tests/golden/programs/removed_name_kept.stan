// RUN: %s
// WHY: a name that the program defines is its own
functions {
  real fabs(real a) {
    return a;
  }
  real if_else(int a, real b, real c) {
    return b;
  }
}
transformed data {
  real a = fabs(if_else(1, 2, 3));
}
//|exit 0
