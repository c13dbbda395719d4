// RUN: --auto-format %s
// WHY: arguments align behind the parenthesis
transformed data {
  real a = normal_lpdf(123456789.123456789 | 123456789.123456789, 123456789.123456789 + 123456789.123456789);
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: arguments align behind the parenthesis
//| transformed data {
//|   real a = normal_lpdf(123456789.123456789 | 123456789.123456789,
//|                        123456789.123456789 + 123456789.123456789);
//| }
//|
