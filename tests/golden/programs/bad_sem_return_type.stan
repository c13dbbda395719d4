// RUN: %s
// WHY: a value of another type is returned
functions {
  int f() {
    return 1.5;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_return_type.stan', line 5, column 4 to column 15:
//|    -------------------------------------------------
//|      3:  functions {
//|      4:    int f() {
//|      5:      return 1.5;
//|              ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| This function returns type int, found a value of type real.
