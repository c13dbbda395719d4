// RUN: %s
// WHY: indexing behind a transpose
transformed data {
  vector[3] x;
  real y = x'[1];
}
//|exit 1
//|stderr
//| Warning in 'warn_removed_transpose_index.stan', line 5, column 13 to column 14:
//|     Indexes right behind a transpose were removed from the language. Put the
//|     transpose into parentheses, as in (x')[1].
//|
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
