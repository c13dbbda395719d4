// RUN: --auto-format --max-line-length=40 %s
// WHY: a narrow margin
transformed data {
  real some_name = 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10;
}
//|exit 0
//|stdout
//| // RUN: --auto-format --max-line-length=40 %s
//| // WHY: a narrow margin
//| transformed data {
//|   real some_name = 1 + 2 + 3 + 4 + 5
//|                    + 6 + 7 + 8 + 9 + 10;
//| }
//|
