// RUN: %s
// WHY: jacobian += in the model block
model {
  jacobian += 1;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_jacobian_statement.stan', line 4, column 2 to column 16:
//|    -------------------------------------------------
//|      2:  // WHY: jacobian += in the model block
//|      3:  model {
//|      4:    jacobian += 1;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The Jacobian can only be changed (jacobian +=) in transformed parameters and in functions ending in _jacobian.
