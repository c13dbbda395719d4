// RUN: --auto-format %s
// WHY: a long sum breaks before operators
transformed data {
  real some_long_name = 1;
  real a = some_long_name + some_long_name * some_long_name - some_long_name / some_long_name + some_long_name;
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: a long sum breaks before operators
//| transformed data {
//|   real some_long_name = 1;
//|   real a = some_long_name + some_long_name * some_long_name
//|            - some_long_name / some_long_name + some_long_name;
//| }
//|
