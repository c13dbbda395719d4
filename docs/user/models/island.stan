parameters {
  real x;
}
model {
  target += log_mix(0.999, normal_lpdf(x | 0, 1), normal_lpdf(x | 40, 0.5));
}
