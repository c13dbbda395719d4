// RUN: %s
// WHY: a loop over a scalar
model {
  for (x in 3) {
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_foreach.stan', line 4, column 12 to column 13:
//|    -------------------------------------------------
//|      2:  // WHY: a loop over a scalar
//|      3:  model {
//|      4:    for (x in 3) {
//|                      ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| A loop runs over an array, a vector, a row vector or a matrix, not over type int. To count up to it, write 1:3.
