// RUN: --all-errors %s
// WHY: the parser goes on behind a function that is wrong
functions {
  real f(a) {
    return 1;
  }
  real g(real x) {
    return x +;
  }
  int h(int) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_all_functions.stan', line 4, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: the parser goes on behind a function that is wrong
//|      3:  functions {
//|      4:    real f(a) {
//|                   ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Ill-formed function argument. Expected the type of an argument, without sizes and constraints. Found identifier "a".
//| Syntax error in 'bad_all_functions.stan', line 8, column 14 to column 15, parsing error:
//|    -------------------------------------------------
//|      6:    }
//|      7:    real g(real x) {
//|      8:      return x +;
//|                        ^
//|      9:    }
//|     10:    int h(int) {
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found ";".
//| Syntax error in 'bad_all_functions.stan', line 10, column 11 to column 12, parsing error:
//|    -------------------------------------------------
//|      8:      return x +;
//|      9:    }
//|     10:    int h(int) {
//|                     ^
//|     11:      return 1;
//|     12:    }
//|    -------------------------------------------------
//|
//| Ill-formed function argument. Expected a name for the argument. Found ")".
