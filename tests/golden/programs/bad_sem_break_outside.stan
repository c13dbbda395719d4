// RUN: %s
// WHY: break outside a loop
model {
  break;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_break_outside.stan', line 4, column 2 to column 8:
//|    -------------------------------------------------
//|      2:  // WHY: break outside a loop
//|      3:  model {
//|      4:    break;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| 'break' only makes sense inside a loop.
