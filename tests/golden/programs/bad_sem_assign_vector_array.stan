// RUN: %s
// WHY: an array for a vector
model {
  vector[2] a;
  a = {1.0, 2.0};
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_vector_array.stan', line 5, column 6 to column 16:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    vector[2] a;
//|      5:    a = {1.0, 2.0};
//|                ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to assignment operator =: lhs has type vector and rhs has type array[] real
//| Write to_vector(...) to convert it.
