// RUN: %s
// WHY: a function as a value
model {
  real a;
  a = sqrt;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_function_value.stan', line 5, column 2 to column 11:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real a;
//|      5:    a = sqrt;
//|            ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Functions cannot be assigned; 'sqrt' is the name of one.
