// RUN: --auto-format --include-paths=includes %s
// WHY: an include inside a statement
transformed data {
  int n =
#include "one.inc"
  ;
}
//|exit 1
//|stderr
//| Error: an #include directive stands inside a statement. Such a program can only be formatted with the text of its includes in place: add --canonicalize=includes.
