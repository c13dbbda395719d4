// RUN: %s
// WHY: an array has no second dimension
data {
  array[3] real x;
}
model {
  print(x[1, 2]);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_matrix_index.stan', line 7, column 8 to column 15:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    print(x[1, 2]);
//|                  ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Too many indexes: 2 given for an expression of type array[] real.
