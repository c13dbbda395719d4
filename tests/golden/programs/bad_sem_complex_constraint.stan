// RUN: %s
// WHY: complex numbers have no bounds
data {
  complex<lower=0> z;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_complex_constraint.stan', line 4, column 2 to column 21:
//|    -------------------------------------------------
//|      2:  // WHY: complex numbers have no bounds
//|      3:  data {
//|      4:    complex<lower=0> z;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Complex numbers have no order: constraints are not allowed.
