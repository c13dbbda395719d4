// RUN: %s
// WHY: ranges in a pair of brackets that is not the last
transformed data {
  array[2, 3] int a;
  a[ : ][1] = {1, 2};
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_brackets.stan', line 5, column 2 to column 11:
//|     Brackets behind a range on the left of an assignment were removed from
//|     the language. Put all indexes into one pair, as in a[:, 1].
//|
