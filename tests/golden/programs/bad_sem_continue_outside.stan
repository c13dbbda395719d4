// RUN: %s
// WHY: continue outside a loop
model {
  if (1) {
    continue;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_continue_outside.stan', line 5, column 4 to column 13:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    if (1) {
//|      5:      continue;
//|              ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| 'continue' only makes sense inside a loop.
