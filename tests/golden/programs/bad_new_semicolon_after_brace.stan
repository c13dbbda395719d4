// RUN: %s
// WHY: a semicolon behind a block
model {
};
//|exit 1
//|stderr
//| Syntax error in 'bad_new_semicolon_after_brace.stan', line 4, column 1 to column 2, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a semicolon behind a block
//|      3:  model {
//|      4:  };
//|           ^
//|    -------------------------------------------------
//|
//| Ill-formed program. Expected one of the blocks "functions {", "data {", "transformed data {", "parameters {", "transformed parameters {", "model {", "generated quantities {", or the end of input. Found ";".
