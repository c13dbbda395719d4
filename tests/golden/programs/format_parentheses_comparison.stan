// RUN: --auto-format --canonicalize=parentheses %s
// WHY: a chain of comparisons gets its parentheses
data { int a; }
transformed data { int b = 1 < a < 3; }
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=parentheses %s
//| // WHY: a chain of comparisons gets its parentheses
//| data {
//|   int a;
//| }
//| transformed data {
//|   int b = (1 < a) < 3;
//| }
//|
//|stderr
//| Warning in 'format_parentheses_comparison.stan', line 4, column 27 to column 36:
//|     Found 1 < a < 3. This compares the outcome (0 or 1) of the first
//|     comparison with the last value. If a chain is meant, write 1 < a && a <
//|     3; otherwise write parentheses: (1 < a) < 3.
//|
