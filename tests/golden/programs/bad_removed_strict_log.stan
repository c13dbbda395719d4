// RUN: --strict %s
// WHY: with --strict it is an unknown function
model {
  print(normal_log(1, 2, 3));
}
//|exit 1
//|stderr
//| Semantic error in 'bad_removed_strict_log.stan', line 4, column 8 to column 27:
//|    -------------------------------------------------
//|      2:  // WHY: with --strict it is an unknown function
//|      3:  model {
//|      4:    print(normal_log(1, 2, 3));
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'normal_log' does not exist. Did you mean 'normal_lpdf'?
