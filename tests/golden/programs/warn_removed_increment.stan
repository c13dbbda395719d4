// RUN: %s
// WHY: the old name of target +=
model {
  increment_log_prob(1);
}
//|exit 1
//|stderr
//| Warning in 'warn_removed_increment.stan', line 4, column 2 to column 20:
//|     'increment_log_prob' was removed from the language. Write 'target += ...'
//|     instead.
//|
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
