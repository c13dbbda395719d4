// RUN: %s
// WHY: vectors are not compared
transformed data {
  vector[2] a;
  print(a < a);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_operator_compare.stan', line 5, column 8 to column 13:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    vector[2] a;
//|      5:    print(a < a);
//|                  ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator <. Available signatures:
//| (int, int) => int
//| (int, real) => int
//| (real, int) => int
//| (real, real) => int
//| Instead supplied arguments of incompatible type: vector, vector.
//| Only numbers are compared; the elements of containers are compared one by one.
