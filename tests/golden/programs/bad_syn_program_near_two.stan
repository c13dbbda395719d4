// RUN: %s
// WHY: a misspelt block of two words
transformed parameter {
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_program_near_two.stan', line 3, column 0 to column 11, parsing error:
//|    -------------------------------------------------
//|      1:  // RUN: %s
//|      2:  // WHY: a misspelt block of two words
//|      3:  transformed parameter {
//|          ^
//|      4:  }
//|    -------------------------------------------------
//|
//| Ill-formed program. Expected one of the blocks "functions {", "data {", "transformed data {", "parameters {", "transformed parameters {", "model {", "generated quantities {", or the end of input. Did you mean "transformed parameters"? Found identifier "transformed".
