// RUN: %s
// WHY: a keyword as a name
data {
  int for;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_declaration_keyword.stan', line 4, column 6 to column 9, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a keyword as a name
//|      3:  data {
//|      4:    int for;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "for" is a reserved keyword and cannot be used as a name.
