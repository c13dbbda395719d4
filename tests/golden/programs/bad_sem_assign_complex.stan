// RUN: %s
// WHY: a complex number for a real
model {
  real a;
  a = 2i;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_complex.stan', line 5, column 6 to column 8:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real a;
//|      5:    a = 2i;
//|                ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to assignment operator =: lhs has type real and rhs has type complex
//| Write get_real(...) to convert it.
