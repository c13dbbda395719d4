// RUN: %s
// WHY: the elementwise power says what it does
data {
  matrix[2, 2] a;
}
transformed data {
  matrix[2, 2] b = a .^ 2;
}
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
