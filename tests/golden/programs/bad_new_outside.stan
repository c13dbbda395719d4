// RUN: %s
// WHY: a statement outside of all blocks
model {
}
x ~ normal(0, 1);
//|exit 1
//|stderr
//| Syntax error in 'bad_new_outside.stan', line 5, column 0 to column 1, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:  }
//|      5:  x ~ normal(0, 1);
//|          ^
//|    -------------------------------------------------
//|
//| Ill-formed program. Expected one of the blocks "functions {", "data {", "transformed data {", "parameters {", "transformed parameters {", "model {", "generated quantities {", or the end of input. A statement stands inside a block, such as "model { ... }". Found identifier "x".
