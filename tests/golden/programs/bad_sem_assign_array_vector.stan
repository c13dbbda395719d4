// RUN: %s
// WHY: a vector for an array
model {
  array[2] real a;
  a = [1.0, 2.0]';
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_array_vector.stan', line 5, column 6 to column 17:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    array[2] real a;
//|      5:    a = [1.0, 2.0]';
//|                ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to assignment operator =: lhs has type array[] real and rhs has type vector
//| Write to_array_1d(...) to convert it.
