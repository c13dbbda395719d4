// RUN: %s
// WHY: a block without its brace
data
  int N;
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_block_brace.stan', line 4, column 2 to column 5, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a block without its brace
//|      3:  data
//|      4:    int N;
//|            ^
//|    -------------------------------------------------
//|
//| Ill-formed block. Expected "{" after the block's name. Found "int".
