// RUN: %s
// WHY: array sizes behind the name
data {
  int N;
  real<lower=0> a[N, 3];
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_array.stan', line 5, column 17 to column 23:
//|     Array sizes behind the name were removed from the language. Write
//|     array[N, 3] and the element type before 'a' instead.
//|
