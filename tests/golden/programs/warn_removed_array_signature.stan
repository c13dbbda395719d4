// RUN: %s
// WHY: brackets behind a type in a signature
functions {
  real f(real[] a, int[,] b) {
    return a[1];
  }
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_array_signature.stan', line 4, column 13 to column 15:
//|     Brackets behind the element type were removed from the language. Write
//|     array[] and the element type instead.
//| Warning in 'warn_removed_array_signature.stan', line 4, column 22 to column 25:
//|     Brackets behind the element type were removed from the language. Write
//|     array[,] and the element type instead.
//|
