// RUN: --auto-format %s
// WHY: long bounds
parameters {
  real<lower=123456789.123456789 + 123456789.123456789, upper=223456789.123456789 + 123456789.123456789> a;
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: long bounds
//| parameters {
//|   real<lower=123456789.123456789 + 123456789.123456789,
//|        upper=223456789.123456789 + 123456789.123456789> a;
//| }
//|
