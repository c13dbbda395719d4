// RUN: %s
// WHY: an index reads what is written
model {
  array[2] int a = {1, 2};
  a[a[1]] = 1;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_read_and_written.stan', line 5, column 2 to column 9:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    array[2] int a = {1, 2};
//|      5:    a[a[1]] = 1;
//|            ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Variable 'a' is read inside the destination that writes it. Use a temporary variable.
