// RUN: %s
// WHY: a keyword for functions
functions {
  function f() {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_function_keyword.stan', line 4, column 2 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a keyword for functions
//|      3:  functions {
//|      4:    function f() {
//|            ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed function. Expected a function definition (a return type, a name and arguments in parentheses) or "}". Only functions can be declared here. Found identifier "function".
