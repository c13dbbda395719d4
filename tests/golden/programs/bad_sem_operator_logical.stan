// RUN: --strict %s
// WHY: a real is no truth value
transformed data {
  print(1.5 && 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_operator_logical.stan', line 4, column 8 to column 16:
//|    -------------------------------------------------
//|      2:  // WHY: a real is no truth value
//|      3:  transformed data {
//|      4:    print(1.5 && 1);
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator &&. Available signatures:
//| (int, int) => int
//| Instead supplied arguments of incompatible type: real, int.
//| A condition is an int: compare 1.5 with something.
