// RUN: --auto-format --max-line-length=120 %s
// WHY: a wide margin
transformed data {
  real some_name = 111111111 + 222222222 + 333333333 + 444444444 + 555555555 + 666666666 + 777777777;
}
//|exit 0
//|stdout
//| // RUN: --auto-format --max-line-length=120 %s
//| // WHY: a wide margin
//| transformed data {
//|   real some_name = 111111111 + 222222222 + 333333333 + 444444444 + 555555555 + 666666666 + 777777777;
//| }
//|
