// RUN: %s
// WHY: a slot that the tuple does not have
transformed data {
  tuple(int, real) a = (1, 2.0);
  print(a.3);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_projection_range.stan', line 5, column 8 to column 11:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    tuple(int, real) a = (1, 2.0);
//|      5:    print(a.3);
//|                  ^
//|      6:  }
//|    -------------------------------------------------
//|
//| There is no slot 3 in type tuple(int, real): its slots are numbered from 1 to 2.
