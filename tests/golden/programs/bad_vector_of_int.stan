// RUN: %s
// WHY: the elements of a vector have no type of their own
data {
  int N;
  vector[N] int y;
}
