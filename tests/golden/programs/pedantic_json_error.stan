// RUN: --warn-pedantic=json %s
// WHY: errors and warnings in one array
parameters {
  real p;
}
model {
  int k = p;
}
//|exit 0
