// RUN: %s
// WHY: two data blocks
data {
}
data {
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_block_twice.stan', line 5, column 0 to column 4, parsing error:
//|    -------------------------------------------------
//|      3:  data {
//|      4:  }
//|      5:  data {
//|          ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed program. Block "data" is out of order or occurs twice. Blocks are optional, but must come in the order functions, data, transformed data, parameters, transformed parameters, model, generated quantities.
