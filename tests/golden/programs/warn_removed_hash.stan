// RUN: %s
// WHY: comments that begin with #
model {
  # old
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_hash.stan', line 4, column 2:
//|     Comments beginning with # are deprecated and this syntax was removed from
//|     the language. Begin them with // instead.
//|
