// RUN: %s
// WHY: a value returned from a void function
functions {
  void f() {
    return 1;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_return_void.stan', line 5, column 4 to column 13:
//|    -------------------------------------------------
//|      3:  functions {
//|      4:    void f() {
//|      5:      return 1;
//|              ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| This function is void, so it returns without a value.
