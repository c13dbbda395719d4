// RUN: --info %s
// WHY: --info of a program that is wrong
model { print(a); }
//|exit 1
//|stderr
//| Semantic error in 'bad_info_semantic.stan', line 3, column 14 to column 15:
//|    -------------------------------------------------
//|      1:  // RUN: --info %s
//|      2:  // WHY: --info of a program that is wrong
//|      3:  model { print(a); }
//|                        ^
//|    -------------------------------------------------
//|
//| Identifier 'a' not in scope.
