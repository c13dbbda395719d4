// RUN: --O1 --debug-mem-patterns %s
// WHY: a container that is @const stays whole although its elements are read in a loop, but not if they are assigned there
data {
  int N;
  matrix[N, N] X;
}
parameters {
  vector[N] a;
  vector[N] b;
  vector[N] c;
}
model {
  @const
  vector[N] constant = X * a;
  vector[N] plain = X * b;
  @const
  vector[N] broken = X * c;
  for (n in 1 : N) {
    target += constant[n] + plain[n];
    broken[n] = 1;
  }
  target += sum(broken);
}
