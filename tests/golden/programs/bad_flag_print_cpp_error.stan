// RUN: --print-cpp %s
// WHY: a program with a mistake has no C++
model { x = 1; }
//|exit 1
//|stderr
//| Semantic error in 'bad_flag_print_cpp_error.stan', line 3, column 8 to column 9:
//|    -------------------------------------------------
//|      1:  // RUN: --print-cpp %s
//|      2:  // WHY: a program with a mistake has no C++
//|      3:  model { x = 1; }
//|                  ^
//|    -------------------------------------------------
//|
//| Identifier 'x' not in scope. A variable is declared with its type before it is assigned, as in 'real x;'.
