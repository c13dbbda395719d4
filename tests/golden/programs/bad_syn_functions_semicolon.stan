// RUN: %s
// WHY: a stray semicolon among the functions
functions {
  ;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_functions_semicolon.stan', line 4, column 2 to column 3, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a stray semicolon among the functions
//|      3:  functions {
//|      4:    ;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed function. Expected a function definition (a return type, a name and arguments in parentheses) or "}". Only functions can be declared here. Found ";".
