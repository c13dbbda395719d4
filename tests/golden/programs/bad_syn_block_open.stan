// RUN: %s
// WHY: a block that is not closed
data {
  int N;
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_block_open.stan', line 5, column 0, parsing error:
//|    -------------------------------------------------
//|      3:  data {
//|      4:    int N;
//|      5:  
//|          ^ (error at end of file)
//|    -------------------------------------------------
//|
//| Ill-formed block. Expected a declaration or "}". The data and parameters blocks hold declarations only, and no statements. Found end of input. The "{" in line 3 is not closed.
