// RUN: %s
// WHY: parentheses make a comparison of a comparison plain
data {
  int a;
}
transformed data {
  int b = (1 < a) < 3;
}
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
