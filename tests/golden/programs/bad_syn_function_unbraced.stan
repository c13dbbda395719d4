// RUN: --strict %s
// WHY: a body without braces
functions {
  real f() return 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_function_unbraced.stan', line 4, column 11 to column 17, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a body without braces
//|      3:  functions {
//|      4:    real f() return 1;
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed function. Expected a body in braces, or ";" for a forward declaration. Found "return".
