// RUN: %s
// WHY: the old name of target +=
model {
  increment_log_prob(1);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_increment.stan', line 4, column 2 to column 20:
//|     'increment_log_prob' was removed from the language. Write 'target += ...'
//|     instead.
//|
