// RUN: %s
// WHY: a block with an equals sign
data = {
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_block_equals.stan', line 3, column 5 to column 6, parsing error:
//|    -------------------------------------------------
//|      1:  // RUN: %s
//|      2:  // WHY: a block with an equals sign
//|      3:  data = {
//|               ^
//|      4:  }
//|    -------------------------------------------------
//|
//| Ill-formed block. Expected "{" after the block's name. Found "=".
