// RUN: --strict %s
// WHY: the negation of a real
model {
  real a = 1;
  if (!a) {
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_not_real.stan', line 5, column 6 to column 8:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real a = 1;
//|      5:    if (!a) {
//|                ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator !. Available signatures:
//| (int) => int
//| Instead supplied arguments of incompatible type: real.
