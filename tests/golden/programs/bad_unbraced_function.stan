// RUN: %s
// WHY: a function body has braces
functions {
  real f(real x) return x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_unbraced_function.stan', line 4, column 17 to column 23, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a function body has braces
//|      3:  functions {
//|      4:    real f(real x) return x;
//|                           ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed function. Expected a body in braces, or ";" for a forward declaration. Found "return".
