// RUN: --O1 --debug-mem-patterns %s
// WHY: containers read by element in a loop or put into a literal are kept by element
functions {
  real f(vector x) {
    int n = size(x);
    if (n > 2) return x[1];
    return x[2];
  }
}
data {
  int N;
  matrix[N, N] X;
}
parameters {
  vector[N] whole;
  vector[N] in_loop;
  vector[N] in_literal;
  vector[N] summed;
}
model {
  vector[N] scaled = 2 * whole;
  for (n in 1 : N) target += square(in_loop[n]);
  array[1] vector[N] a = {in_literal};
  target += sum(X * scaled) + sum(summed) * summed[1] + sum(a[1]);
}
//|exit 0
//|stdout
//| vector[N] whole: SoA
//| vector[N] in_loop: AoS
//| vector[N] in_literal: AoS
//| vector[N] summed: SoA
//| vector[N] scaled: SoA
//| array[vector[N], 1] a: AoS
//| Optimization hazard warning (Line 16): SoA warning: Right hand side contains only AoS expressions: in_loop
//| Optimization hazard warning (Line 17): SoA warning: Right hand side contains only AoS expressions: in_literal
//| Optimization hazard warning (Line 23): SoA warning: Right hand side contains only AoS expressions: a
//| Optimization hazard warning (Line 23): SoA warning: Right hand side of assignment is a literal of elements: a, in_literal
//|stderr
//| 'in_loop' is AoS: its element is read in a loop (in 'mem_patterns_reasons.stan', line 22, column 36 to column 46): in_loop[n]
//| 'in_literal' is AoS: it becomes an element of an array, a row or a tuple (in 'mem_patterns_reasons.stan', line 23, column 25 to column 37): {in_literal}
//| 'a' is AoS: it becomes an element of an array, a row or a tuple (in 'mem_patterns_reasons.stan', line 23, column 25 to column 37): {in_literal}
