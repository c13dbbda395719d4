// RUN: %s
// WHY: a word that begins no block
hello
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_program_word.stan', line 3, column 0 to column 5, parsing error:
//|    -------------------------------------------------
//|      1:  // RUN: %s
//|      2:  // WHY: a word that begins no block
//|      3:  hello
//|          ^
//|    -------------------------------------------------
//|
//| Ill-formed program. Expected one of the blocks "functions {", "data {", "transformed data {", "parameters {", "transformed parameters {", "model {", "generated quantities {", or the end of input. Found identifier "hello".
