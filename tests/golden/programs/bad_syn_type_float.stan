// RUN: %s
// WHY: the type float of other languages
data {
  float x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_float.stan', line 4, column 2 to column 7, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: the type float of other languages
//|      3:  data {
//|      4:    float x;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. The type of real numbers is "real".
