// RUN: %s
// WHY: two types in one declaration
data {
  int N, real x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_comma_declaration.stan', line 4, column 9 to column 13, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: two types in one declaration
//|      3:  data {
//|      4:    int N, real x;
//|                   ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "real" is a reserved keyword and cannot be used as a name.
