// RUN: --strict %s
// WHY: with --strict it is an unknown function
model {
  increment_log_prob(1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_removed_strict_increment.stan', line 4, column 2 to column 24:
//|    -------------------------------------------------
//|      2:  // WHY: with --strict it is an unknown function
//|      3:  model {
//|      4:    increment_log_prob(1);
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'increment_log_prob' does not exist. It was removed from the language; use target +=.
