// RUN: --all-errors %s
// WHY: the parser goes on at the next block after one that is misspelt or out of order
dat {
  int N;
}
model {
  x ~ normal(0, 1)
}
parameters {
  real 1x;
}
}
generated quantities {
  real y = ;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_all_blocks.stan', line 3, column 0 to column 3, parsing error:
//|    -------------------------------------------------
//|      1:  // RUN: --all-errors %s
//|      2:  // WHY: the parser goes on at the next block after one that is misspelt or out of order
//|      3:  dat {
//|          ^
//|      4:    int N;
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed program. Expected one of the blocks "functions {", "data {", "transformed data {", "parameters {", "transformed parameters {", "model {", "generated quantities {", or the end of input. Did you mean "data"? Found identifier "dat".
//| Syntax error in 'bad_all_blocks.stan', line 8, column 0 to column 1, parsing error:
//|    -------------------------------------------------
//|      6:  model {
//|      7:    x ~ normal(0, 1)
//|      8:  }
//|          ^
//|      9:  parameters {
//|     10:    real 1x;
//|    -------------------------------------------------
//|
//| Ill-formed "~" statement. Expected ";" after a distribution statement. Found "}". A ";" may be missing at the end of line 7.
//| Syntax error in 'bad_all_blocks.stan', line 9, column 0 to column 10, parsing error:
//|    -------------------------------------------------
//|      7:    x ~ normal(0, 1)
//|      8:  }
//|      9:  parameters {
//|          ^
//|     10:    real 1x;
//|     11:  }
//|    -------------------------------------------------
//|
//| Ill-formed program. Block "parameters" is out of order or occurs twice. Blocks are optional, but must come in the order functions, data, transformed data, parameters, transformed parameters, model, generated quantities.
//| Syntax error in 'bad_all_blocks.stan', line 10, column 7 to column 8, parsing error:
//|    -------------------------------------------------
//|      8:  }
//|      9:  parameters {
//|     10:    real 1x;
//|                 ^
//|     11:  }
//|     12:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Expected a variable name. Found integer literal "1".
//| Syntax error in 'bad_all_blocks.stan', line 12, column 0 to column 1, parsing error:
//|    -------------------------------------------------
//|     10:    real 1x;
//|     11:  }
//|     12:  }
//|          ^
//|     13:  generated quantities {
//|     14:    real y = ;
//|    -------------------------------------------------
//|
//| Ill-formed program. Expected one of the blocks "functions {", "data {", "transformed data {", "parameters {", "transformed parameters {", "model {", "generated quantities {", or the end of input. There is a "}" too many, or the block before ends too early. Found "}".
//| Syntax error in 'bad_all_blocks.stan', line 14, column 11 to column 12, parsing error:
//|    -------------------------------------------------
//|     12:  }
//|     13:  generated quantities {
//|     14:    real y = ;
//|                     ^
//|     15:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found ";".
