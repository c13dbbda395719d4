// RUN: --strict %s
// WHY: ranges only in the last brackets on the left
model {
  array[2, 2] real a;
  a[1:2][1] = {1.0, 2.0};
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_nested_multi_index.stan', line 5, column 2 to column 11:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    array[2, 2] real a;
//|      5:    a[1:2][1] = {1.0, 2.0};
//|            ^
//|      6:  }
//|    -------------------------------------------------
//|
//| On the left of an assignment only the last pair of brackets may hold ranges and other multiple indexes. Put all indexes into one pair.
