// RUN: %s
// WHY: indexing behind a transpose
transformed data {
  vector[3] x;
  real y = x'[1];
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_transpose_index.stan', line 5, column 13 to column 14:
//|     Indexes right behind a transpose were removed from the language. Put the
//|     transpose into parentheses, as in (x')[1].
//|
