// RUN: %s
// WHY: slots are counted from one
transformed data {
  tuple(int, real) a = (1, 2.0);
  print(a.0);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_projection_zero.stan', line 5, column 8 to column 11:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    tuple(int, real) a = (1, 2.0);
//|      5:    print(a.0);
//|                  ^
//|      6:  }
//|    -------------------------------------------------
//|
//| There is no slot 0 in type tuple(int, real): its slots are numbered from 1 to 2.
