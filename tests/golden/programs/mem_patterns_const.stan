// RUN: --O1 --debug-mem-patterns %s
// WHY: a container that is @const stays whole although its elements are read in a loop, but not if they are assigned there
data {
  int N;
  matrix[N, N] X;
}
parameters {
  vector[N] b;
}
model {
  @const
  vector[N] eta = X * b;
  vector[N] plain = X * b;
  @const
  vector[N] broken = X * b;
  for (n in 1 : N) {
    target += eta[n] + plain[n];
    broken[n] = 1;
  }
  target += sum(broken);
}
