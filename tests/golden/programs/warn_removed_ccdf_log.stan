// RUN: %s
// WHY: the old ending of complementary ones
model {
  target += normal_ccdf_log(1, 0, 1);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_ccdf_log.stan', line 4, column 12 to column 27:
//|     'normal_ccdf_log' was removed from the language. Write 'normal_lccdf'
//|     with a vertical bar after the first argument instead.
//|
