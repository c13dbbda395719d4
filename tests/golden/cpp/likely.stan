// RUN: %s
// WHY: @likely and @unlikely of a condition's int, or of the function that it calls, are hints to the C++ compiler
// SHOW: functions log_prob
functions {
  @unlikely
  int too_large(real x) {
    return x > 100;
  }
  real shifted(real x, int by) {
    @likely
    int moves = by != 0;
    if (moves) return x + by;
    else return x;
  }
}
data {
  @likely
  int use_prior;
}
parameters {
  real x;
}
model {
  @unlikely
  int far = x > 10;
  int other = x > 1;
  if (use_prior) x ~ normal(0, 1);
  if (far) target += shifted(x, 1);
  if (too_large(x)) reject("far out");
  if (other) target += 1;
}
