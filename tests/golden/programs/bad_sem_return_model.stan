// RUN: %s
// WHY: return in the model block
model {
  return;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_return_model.stan', line 4, column 2 to column 9:
//|    -------------------------------------------------
//|      2:  // WHY: return in the model block
//|      3:  model {
//|      4:    return;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Only functions return.
