// RUN: %s
// WHY: two overloads fit equally well
functions {
  real f(int a, real b) {
    return a;
  }
  real f(real a, int b) {
    return a;
  }
}
transformed data {
  real a = f(1, 2);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_call_ambiguous.stan', line 12, column 11 to column 18:
//|    -------------------------------------------------
//|     10:  }
//|     11:  transformed data {
//|     12:    real a = f(1, 2);
//|                     ^
//|     13:  }
//|    -------------------------------------------------
//|
//| The call of 'f' is ambiguous. The argument types
//| (int, int)
//| are equally far from
//| (int, real) => real
//| (real, int) => real
//| Make the conversion that is meant explicit.
