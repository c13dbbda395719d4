// RUN: %s
// WHY: a statement among the functions
functions {
  print(1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_functions_statement.stan', line 4, column 2 to column 7, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a statement among the functions
//|      3:  functions {
//|      4:    print(1);
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed function. Expected a function definition (a return type, a name and arguments in parentheses) or "}". Only functions can be declared here. Found "print".
