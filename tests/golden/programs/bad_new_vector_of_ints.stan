// RUN: %s
// WHY: a vector holds reals only
data {
  int N;
}
model {
  vector[N] k;
  k ~ poisson(3);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_vector_of_ints.stan', line 8, column 2 to column 17:
//|    -------------------------------------------------
//|      6:  model {
//|      7:    vector[N] k;
//|      8:    k ~ poisson(3);
//|            ^
//|      9:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments to distribution statement for 'poisson':
//| (vector, int)
//| Available signatures:
//| (array[] int, real) => real
//|   Argument 1 has type array[] int, found type vector; ints are declared as int or array[...] int.
//| (int, real) => real
//|   Argument 1 has type int, found type vector; ints are declared as int or array[...] int.
//| (array[] int, vector) => real
//|   Argument 1 has type array[] int, found type vector; ints are declared as int or array[...] int.
//| (array[] int, row_vector) => real
//|   Argument 1 has type array[] int, found type vector; ints are declared as int or array[...] int.
//| (array[] int, array[] real) => real
//|   Argument 1 has type array[] int, found type vector; ints are declared as int or array[...] int.
//| (3 further signatures are not shown)
