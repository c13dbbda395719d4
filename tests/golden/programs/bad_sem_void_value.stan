// RUN: %s
// WHY: a void function used as a value
functions {
  void f() {
    print(1);
  }
}
transformed data {
  real a = f();
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_void_value.stan', line 9, column 11 to column 14:
//|    -------------------------------------------------
//|      7:  }
//|      8:  transformed data {
//|      9:    real a = f();
//|                     ^
//|     10:  }
//|    -------------------------------------------------
//|
//| Function 'f' returns nothing, so it cannot be used in an expression; call it as a statement.
