// RUN: --auto-format --canonicalize=includes --include-paths=includes %s
// WHY: directives are replaced by what they hold
data {
  #include "size.inc"
  vector[n] x;
}
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=includes --include-paths=includes %s
//| // WHY: directives are replaced by what they hold
//| data {
//|   // how many
//|   int<lower=0> n;
//|   
//|   vector[n] x;
//| }
//|
