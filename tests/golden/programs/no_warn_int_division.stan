// RUN: %s
// WHY: no warning if one side is real
data {
  int a;
}
transformed data {
  real c = 1.0 / a;
  int d = a %/% 2;
}
//|exit 0
