// RUN: %s
// WHY: a function as an initial value
model {
  real a = sqrt;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_initialiser_function.stan', line 4, column 2 to column 16:
//|    -------------------------------------------------
//|      2:  // WHY: a function as an initial value
//|      3:  model {
//|      4:    real a = sqrt;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Functions cannot be assigned; 'sqrt' is the name of one.
