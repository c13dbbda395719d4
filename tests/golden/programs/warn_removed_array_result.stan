// RUN: %s
// WHY: brackets behind the type of a result
functions {
  real[] f() {
    return {1.0};
  }
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_array_result.stan', line 4, column 6 to column 8:
//|     Brackets behind the element type were removed from the language. Write
//|     array[] and the element type instead.
//|
