// RUN: %s
// WHY: elements, too
model {
  vector[2] a;
  a[1] <- 1;
}
//|exit 1
//|stderr
//| Warning in 'warn_removed_arrow_element.stan', line 5, column 7 to column 9:
//|     The assignment operator <- was removed from the language. Write =
//|     instead.
//|
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
