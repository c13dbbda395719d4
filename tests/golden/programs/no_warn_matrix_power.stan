// RUN: %s
// WHY: the elementwise power says what it does
data {
  matrix[2, 2] a;
}
transformed data {
  matrix[2, 2] b = a .^ 2;
}
//|exit 0
