// RUN: --auto-format %s
// WHY: what ends in the last column but one stays on its line
functions {
  real foo_five_args_x(real x1, real x2, real x3, real x4, real x5, real x6a) {
    return 1;
  }
  real foo_five_args_x(real x1, real x2, real x3, real x4, real x5, int x6abc) {
    return 1;
  }
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: what ends in the last column but one stays on its line
//| functions {
//|   real foo_five_args_x(real x1, real x2, real x3, real x4, real x5, real x6a) {
//|     return 1;
//|   }
//|   real foo_five_args_x(real x1, real x2, real x3, real x4, real x5,
//|                        int x6abc) {
//|     return 1;
//|   }
//| }
//|
