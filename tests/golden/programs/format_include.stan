// RUN: --auto-format --include-paths=includes %s
// WHY: directives stay, what they hold is left out
data {
  #include "size.inc"
  vector[n] x;
}
//|exit 0
//|stdout
//| // RUN: --auto-format --include-paths=includes %s
//| // WHY: directives stay, what they hold is left out
//| data {
//|   #include size.inc
//|   vector[n] x;
//| }
//|
