// RUN: %s
// WHY: a misspelt block
modle {
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_program_near.stan', line 3, column 0 to column 5, parsing error:
//|    -------------------------------------------------
//|      1:  // RUN: %s
//|      2:  // WHY: a misspelt block
//|      3:  modle {
//|          ^
//|      4:  }
//|    -------------------------------------------------
//|
//| Ill-formed program. Expected one of the blocks "functions {", "data {", "transformed data {", "parameters {", "transformed parameters {", "model {", "generated quantities {", or the end of input. Did you mean "model"? Found identifier "modle".
