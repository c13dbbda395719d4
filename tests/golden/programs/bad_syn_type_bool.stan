// RUN: %s
// WHY: the type bool of other languages
model {
  bool x = 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_bool.stan', line 4, column 7 to column 8, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: the type bool of other languages
//|      3:  model {
//|      4:    bool x = 1;
//|                 ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. There is no type of truth values: use "int" with 0 and 1.
