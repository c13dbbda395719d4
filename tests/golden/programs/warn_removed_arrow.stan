// RUN: %s
// WHY: the assignment of old
model {
  real a;
  a <- 1;
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_arrow.stan', line 5, column 4 to column 6:
//|     The assignment operator <- was removed from the language. Write =
//|     instead.
//|
