// RUN: %s
// WHY: nothing returned where a value is due
functions {
  real f() {
    return;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_return_nothing.stan', line 5, column 4 to column 11:
//|    -------------------------------------------------
//|      3:  functions {
//|      4:    real f() {
//|      5:      return;
//|              ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| This function must return a value of type real.
