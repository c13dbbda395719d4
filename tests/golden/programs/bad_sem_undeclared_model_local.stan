// RUN: %s
// WHY: what the model block declares is not seen by generated quantities
model {
  real local_one;
}
generated quantities {
  real a = local_one;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_undeclared_model_local.stan', line 7, column 11 to column 20:
//|    -------------------------------------------------
//|      5:  }
//|      6:  generated quantities {
//|      7:    real a = local_one;
//|                     ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Identifier 'local_one' not in scope. Did you mean 'logical_and'?
