// RUN: %s
// WHY: the type double of other languages
model {
  double x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_double_local.stan', line 4, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: the type double of other languages
//|      3:  model {
//|      4:    double x;
//|                   ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. The type of real numbers is "real".
