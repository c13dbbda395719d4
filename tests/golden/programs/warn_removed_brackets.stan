// RUN: %s
// WHY: ranges in a pair of brackets that is not the last
transformed data {
  array[2, 3] int a;
  a[ : ][1] = {1, 2};
}
//|exit 1
//|stderr
//| Warning in 'warn_removed_brackets.stan', line 5, column 2 to column 11:
//|     Brackets behind a range on the left of an assignment were removed from
//|     the language. Put all indexes into one pair, as in a[:, 1].
//|
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
