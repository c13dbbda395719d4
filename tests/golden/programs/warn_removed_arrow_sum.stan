// RUN: %s
// WHY: the whole right side is assigned
model {
  real a;
  a <- 1 + 2 * 3;
  print(a < -1);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_arrow_sum.stan', line 5, column 4 to column 6:
//|     The assignment operator <- was removed from the language. Write =
//|     instead.
//|
