// RUN: %s
// WHY: lower is a keyword
data {
  int lower;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_declaration_lower.stan', line 4, column 6 to column 11, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: lower is a keyword
//|      3:  data {
//|      4:    int lower;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "lower" is a reserved keyword and cannot be used as a name.
