// RUN: %s
// WHY: the target in a function without _lp
functions {
  void f() {
    target += 1;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_target_function.stan', line 5, column 4 to column 16:
//|    -------------------------------------------------
//|      3:  functions {
//|      4:    void f() {
//|      5:      target += 1;
//|              ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| The target can only be changed (target +=) in the model block and in functions ending in _lp.
