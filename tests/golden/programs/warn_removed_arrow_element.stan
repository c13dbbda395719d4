// RUN: %s
// WHY: elements, too
model {
  vector[2] a;
  a[1] <- 1;
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_arrow_element.stan', line 5, column 7 to column 9:
//|     The assignment operator <- was removed from the language. Write =
//|     instead.
//|
