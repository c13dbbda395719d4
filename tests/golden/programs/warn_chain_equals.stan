// RUN: %s
// WHY: a chain of equalities
data {
  int a;
}
transformed data {
  int b = 1 == a == 3;
}
//|exit 0
//|stderr
//| Warning in 'warn_chain_equals.stan', line 7, column 10 to column 21:
//|     Found 1 == a == 3. This compares the outcome (0 or 1) of the first
//|     comparison with the last value. If a chain is meant, write 1 == a && a ==
//|     3; otherwise write parentheses: (1 == a) == 3.
//|
