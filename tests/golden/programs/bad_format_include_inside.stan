// RUN: --auto-format --include-paths=includes %s
// WHY: an include inside a statement
transformed data {
  int n =
#include "one.inc"
  ;
}
