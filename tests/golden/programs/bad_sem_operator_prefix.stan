// RUN: --strict %s
// WHY: an operand that has no negation
transformed data {
  print(!1.5);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_operator_prefix.stan', line 4, column 8 to column 12:
//|    -------------------------------------------------
//|      2:  // WHY: an operand that has no negation
//|      3:  transformed data {
//|      4:    print(!1.5);
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator !. Available signatures:
//| (int) => int
//| Instead supplied arguments of incompatible type: real.
