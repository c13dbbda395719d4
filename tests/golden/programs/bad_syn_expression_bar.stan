// RUN: %s
// WHY: | for a logical or
model {
  if (1 | 0) {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_expression_bar.stan', line 4, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: | for a logical or
//|      3:  model {
//|      4:    if (1 | 0) {
//|                  ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected ")" after the condition. Found "|". A logical or is written "||".
