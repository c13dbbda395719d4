// RUN: --auto-format %s
// WHY: a long ternary
transformed data {
  real a = 123456789.123456789 > 123456789.123456789 ? 123456789.123456789 + 1 : 123456789.123456789 - 1;
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: a long ternary
//| transformed data {
//|   real a = 123456789.123456789 > 123456789.123456789
//|            ? 123456789.123456789 + 1 : 123456789.123456789 - 1;
//| }
//|
