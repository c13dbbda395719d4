// RUN: %s
// WHY: elementwise operators are not for scalars
model {
  real a = 1;
  a .*= 2;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_compound_elementwise.stan', line 5, column 8 to column 9:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real a = 1;
//|      5:    a .*= 2;
//|                  ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to assignment operator .*=: lhs has type real and rhs has type int
