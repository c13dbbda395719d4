// RUN: %s
// WHY: an _lp function in generated quantities
functions {
  void f_lp(real a) {
    target += a;
  }
}
generated quantities {
  f_lp(1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_lp_place.stan', line 9, column 2 to column 10:
//|    -------------------------------------------------
//|      7:  }
//|      8:  generated quantities {
//|      9:    f_lp(1);
//|            ^
//|     10:  }
//|    -------------------------------------------------
//|
//| Functions ending in _lp may only be called in the model block and in functions ending in _lp.
