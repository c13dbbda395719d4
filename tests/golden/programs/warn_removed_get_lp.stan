// RUN: %s
// WHY: the old name of target()
model {
  print(get_lp());
}
//|exit 1
//|stderr
//| Warning in 'warn_removed_get_lp.stan', line 4, column 8 to column 14:
//|     'get_lp' was removed from the language. Write 'target()' instead.
//|
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
