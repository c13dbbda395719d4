// RUN: %s
// WHY: an ill-typed call lists what is there
transformed data {
  real x = inv_logit({1, 2}, 3);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_argument_types.stan', line 4, column 11 to column 31:
//|    -------------------------------------------------
//|      2:  // WHY: an ill-typed call lists what is there
//|      3:  transformed data {
//|      4:    real x = inv_logit({1, 2}, 3);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'inv_logit':
//| (array[] int, int)
//| Expected 1 argument, found 2. Available signatures:
//| (int) => real
//| (real) => real
//| (vector) => vector
//| (row_vector) => row_vector
//| (matrix) => matrix
//| (35 further signatures are not shown)
