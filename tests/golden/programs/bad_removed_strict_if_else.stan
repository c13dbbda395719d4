// RUN: --strict %s
// WHY: with --strict it is an unknown function
model {
  print(if_else(1, 2, 3));
}
//|exit 1
//|stderr
//| Semantic error in 'bad_removed_strict_if_else.stan', line 4, column 8 to column 24:
//|    -------------------------------------------------
//|      2:  // WHY: with --strict it is an unknown function
//|      3:  model {
//|      4:    print(if_else(1, 2, 3));
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'if_else' does not exist. It was removed from the language; use the operator ? :.
