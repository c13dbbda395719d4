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
//|exit 0
//|stdout
//| vector[N] a: SoA
//| vector[N] b: AoS
//| vector[N] c: AoS
//| vector[N] constant: SoA
//| vector[N] plain: AoS
//| vector[N] broken: AoS
//| Optimization hazard warning (Line 10): SoA warning: Right hand side contains only AoS expressions: c
//| Optimization hazard warning (Line 15): SoA warning: Right hand side contains only AoS expressions: plain
//| Optimization hazard warning (Line 17): SoA warning: Right hand side contains only AoS expressions: broken
//| Optimization hazard warning (Line 20): SoA warning: Accessed by element in a for loop: broken
//| Optimization hazard warning (Line 20): SoA warning: Right hand side contains only AoS expressions: broken
//| Optimization hazard warning (Line 9): SoA warning: Right hand side contains only AoS expressions: b
//|stderr
//| Warning in 'mem_patterns_const.stan', line 20, column 4 to column 13:
//|     Variable 'broken' is declared @const, which promises that it is only
//|     assigned as a whole, but a part of it is assigned here.
//|
//| 'b' is AoS: it is assigned to 'plain', which is AoS (in 'mem_patterns_const.stan', line 15, column 2 to column 26): vector[N] plain = X * b;
//| 'c' is AoS: it is assigned to 'broken', which is AoS (in 'mem_patterns_const.stan', line 16, column 2 to line 17, column 27): @const vector[N] broken = X * c;
//| 'plain' is AoS: its element is read in a loop (in 'mem_patterns_const.stan', line 19, column 28 to column 36): plain[n]
//| 'broken' is AoS: its element is assigned in a loop (in 'mem_patterns_const.stan', line 20, column 4 to column 18): broken[n] = 1;
