// RUN: --strict %s
// WHY: with --strict it is an unknown function
model {
  print(fabs(1.5));
}
//|exit 1
//|stderr
//| Semantic error in 'bad_removed_strict_fabs.stan', line 4, column 8 to column 17:
//|    -------------------------------------------------
//|      2:  // WHY: with --strict it is an unknown function
//|      3:  model {
//|      4:    print(fabs(1.5));
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'fabs' does not exist. It was removed from the language; use abs.
