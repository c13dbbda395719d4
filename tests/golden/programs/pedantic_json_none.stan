// RUN: --warn-pedantic=json %s
// WHY: nothing found is an empty array
parameters {
  real p;
}
model {
  p ~ normal(0, 1);
}
//|exit 0
//|stdout
//| []
