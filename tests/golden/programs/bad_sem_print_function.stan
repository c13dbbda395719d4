// RUN: %s
// WHY: a function among printed items
model {
  print(exp);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_print_function.stan', line 4, column 8 to column 11:
//|    -------------------------------------------------
//|      2:  // WHY: a function among printed items
//|      3:  model {
//|      4:    print(exp);
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| 'exp' is a function, not a value. A function's name alone may only be an argument of a higher-order function.
