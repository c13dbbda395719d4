// RUN: %s
// WHY: a number in the model block
model {
  1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_block_expression.stan', line 4, column 3 to column 4, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a number in the model block
//|      3:  model {
//|      4:    1;
//|             ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "=", an operator followed by "=", or "~" after the expression; a call of a void function ends with ";". Found ";".
