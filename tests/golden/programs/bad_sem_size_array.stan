// RUN: %s
// WHY: a vector as an array size
data {
  vector[2] N;
  array[N] int x;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_size_array.stan', line 5, column 8 to column 9:
//|    -------------------------------------------------
//|      3:  data {
//|      4:    vector[2] N;
//|      5:    array[N] int x;
//|                  ^
//|      6:  }
//|    -------------------------------------------------
//|
//| A size must be an int, found type vector.
