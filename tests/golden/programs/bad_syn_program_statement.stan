// RUN: %s
// WHY: a statement outside the blocks
real x;
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_program_statement.stan', line 3, column 0 to column 4, parsing error:
//|    -------------------------------------------------
//|      1:  // RUN: %s
//|      2:  // WHY: a statement outside the blocks
//|      3:  real x;
//|          ^
//|    -------------------------------------------------
//|
//| Ill-formed program. Expected one of the blocks "functions {", "data {", "transformed data {", "parameters {", "transformed parameters {", "model {", "generated quantities {", or the end of input. A declaration stands inside a block, such as "data { ... }". Found "real".
