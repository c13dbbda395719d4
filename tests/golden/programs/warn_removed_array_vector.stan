// RUN: %s
// WHY: arrays of vectors
data {
  vector[2] a[3];
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_array_vector.stan', line 4, column 13 to column 16:
//|     Array sizes behind the name were removed from the language. Write
//|     array[3] and the element type before 'a' instead.
//|
