// RUN: %s
// WHY: a variable called as a function
transformed data {
  real a;
  real b = a(1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_called_variable.stan', line 5, column 11 to column 15:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    real a;
//|      5:    real b = a(1);
//|                     ^
//|      6:  }
//|    -------------------------------------------------
//|
//| 'a' is a variable and cannot be called as a function.
