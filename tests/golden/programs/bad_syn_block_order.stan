// RUN: %s
// WHY: data after the model
model {
}
data {
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_block_order.stan', line 5, column 0 to column 4, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:  }
//|      5:  data {
//|          ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed program. Block "data" is out of order or occurs twice. Blocks are optional, but must come in the order functions, data, transformed data, parameters, transformed parameters, model, generated quantities.
