// RUN: --auto-format %s
// WHY: only correct programs are formatted
model { print(a); }
//|exit 1
//|stderr
//| Semantic error in 'bad_format_semantic.stan', line 3, column 14 to column 15:
//|    -------------------------------------------------
//|      1:  // RUN: --auto-format %s
//|      2:  // WHY: only correct programs are formatted
//|      3:  model { print(a); }
//|                        ^
//|    -------------------------------------------------
//|
//| Identifier 'a' not in scope.
