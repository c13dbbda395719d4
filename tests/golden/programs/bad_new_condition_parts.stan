// RUN: --strict %s
// WHY: reals joined by a logical operator
data {
  real x;
  int n;
}
model {
  if (n > 1 && x)
    print(x);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_condition_parts.stan', line 8, column 6 to column 16:
//|    -------------------------------------------------
//|      6:  }
//|      7:  model {
//|      8:    if (n > 1 && x)
//|                ^
//|      9:      print(x);
//|     10:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator &&. Available signatures:
//| (int, int) => int
//| Instead supplied arguments of incompatible type: int, real.
//| A condition is an int: compare x with something.
