// RUN: %s
// WHY: comments that begin with #
model {
  # old
}
//|exit 1
//|stderr
//| Warning in 'warn_removed_hash.stan', line 4, column 2:
//|     Comments beginning with # are deprecated and this syntax was removed from
//|     the language. Begin them with // instead.
//|
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
