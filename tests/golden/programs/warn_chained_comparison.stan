// RUN: %s
// WHY: a chained comparison proposes the logical form
transformed data {
  int x = 1 < 2 < 3;
}
//|exit 0
//|stderr
//| Warning in 'warn_chained_comparison.stan', line 4, column 10 to column 19:
//|     Found 1 < 2 < 3. This compares the outcome (0 or 1) of the first
//|     comparison with the last value. If a chain is meant, write 1 < 2 && 2 <
//|     3; otherwise write parentheses: (1 < 2) < 3.
//|
