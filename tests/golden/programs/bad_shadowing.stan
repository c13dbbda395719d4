// RUN: %s
// WHY: names may not be declared twice
data {
  real x;
}
model {
  real x;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_shadowing.stan', line 7, column 7 to column 8:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    real x;
//|                 ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Identifier 'x' is already in use.
