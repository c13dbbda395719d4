// RUN: %s
// WHY: parentheses make a comparison of a comparison plain
data {
  int a;
}
transformed data {
  int b = (1 < a) < 3;
}
//|exit 0
