// RUN: %s
// WHY: remainders of reals
transformed data {
  print(1.5 % 2);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_operator_modulo.stan', line 4, column 8 to column 15:
//|    -------------------------------------------------
//|      2:  // WHY: remainders of reals
//|      3:  transformed data {
//|      4:    print(1.5 % 2);
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator %. Available signatures:
//| (int, int) => int
//| Instead supplied arguments of incompatible type: real, int.
//| For reals write fmod(1.5, 2).
