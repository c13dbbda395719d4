// RUN: %s
// WHY: a parameter in transformed data
transformed data {
  real a = mu;
}
parameters {
  real mu;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_undeclared_parameter.stan', line 4, column 11 to column 13:
//|    -------------------------------------------------
//|      2:  // WHY: a parameter in transformed data
//|      3:  transformed data {
//|      4:    real a = mu;
//|                     ^
//|      5:  }
//|      6:  parameters {
//|    -------------------------------------------------
//|
//| Identifier 'mu' not in scope. It is declared later, in the parameters block; a variable must be declared before it is used.
