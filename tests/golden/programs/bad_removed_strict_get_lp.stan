// RUN: --strict %s
// WHY: with --strict it is an unknown function
model {
  print(get_lp());
}
//|exit 1
//|stderr
//| Semantic error in 'bad_removed_strict_get_lp.stan', line 4, column 8 to column 16:
//|    -------------------------------------------------
//|      2:  // WHY: with --strict it is an unknown function
//|      3:  model {
//|      4:    print(get_lp());
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'get_lp' does not exist. It was removed from the language; use target().
