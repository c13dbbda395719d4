// RUN: %s
// WHY: every path of a function returns
functions {
  real f(real x) {
    if (x > 0)
      return 1;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_return.stan', line 4, column 2 to line 7, column 3:
//|    -------------------------------------------------
//|      2:  // WHY: every path of a function returns
//|      3:  functions {
//|      4:    real f(real x) {
//|            ^
//|      5:      if (x > 0)
//|      6:        return 1;
//|    -------------------------------------------------
//|
//| Function 'f' must return a value on every path, but some path reaches the end of its body.
