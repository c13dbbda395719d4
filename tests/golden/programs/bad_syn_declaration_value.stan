// RUN: %s
// WHY: data with an initial value
data {
  int N = 3;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_declaration_value.stan', line 4, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: data with an initial value
//|      3:  data {
//|      4:    int N = 3;
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Variables of the data and parameters blocks cannot be given a value where they are declared.
