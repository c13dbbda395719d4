// RUN: %s
// WHY: an assignment in the data block
data {
  real x;
  x = 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_block_statement.stan', line 5, column 2 to column 3, parsing error:
//|    -------------------------------------------------
//|      3:  data {
//|      4:    real x;
//|      5:    x = 1;
//|            ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed block. Expected a declaration or "}". The data and parameters blocks hold declarations only, and no statements. Found identifier "x".
