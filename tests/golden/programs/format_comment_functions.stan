// RUN: --auto-format %s
// WHY: comments between functions
functions {
  // one
  real f() {
    return 1;
  }

  // two
  real g() {
    return 2;
  }
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: comments between functions
//| functions {
//|   // one
//|   real f() {
//|     return 1;
//|   }
//|   
//|   // two
//|   real g() {
//|     return 2;
//|   }
//| }
//|
