// RUN: %s
// WHY: a variable among the functions
functions {
  real x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_functions_variable.stan', line 4, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a variable among the functions
//|      3:  functions {
//|      4:    real x;
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed function. Expected "(" and a list of arguments after the function's name. Variables cannot be declared among functions. Found ";".
