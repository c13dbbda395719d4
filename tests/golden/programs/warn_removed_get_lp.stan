// RUN: %s
// WHY: the old name of target()
model {
  print(get_lp());
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_get_lp.stan', line 4, column 8 to column 14:
//|     'get_lp' was removed from the language. Write 'target()' instead.
//|
