// RUN: %s
// WHY: text behind the last block
model {
}
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_program_after.stan', line 5, column 0 to column 1, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:  }
//|      5:  }
//|          ^
//|    -------------------------------------------------
//|
//| Ill-formed program. Expected one of the blocks "functions {", "data {", "transformed data {", "parameters {", "transformed parameters {", "model {", "generated quantities {", or the end of input. There is a "}" too many, or the block before ends too early. Found "}".
