// RUN: --auto-format --canonicalize=includes --include-paths includes %s
// WHY: contents instead of the directive
data {
  #include "size.inc"
  real x;
}
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=includes --include-paths includes %s
//| // WHY: contents instead of the directive
//| data {
//|   // how many
//|   int<lower=0> n;
//|   
//|   real x;
//| }
//|
