// RUN: --auto-format %s
// WHY: comments round an operator
transformed data {
  real a = 1 /* a */ + /* b */ 2;
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: comments round an operator
//| transformed data {
//|   real a = 1 /* a */ + /* b */ 2;
//| }
//|
