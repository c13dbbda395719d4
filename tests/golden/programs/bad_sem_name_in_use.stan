// RUN: %s
// WHY: a name is declared twice
data {
  int a;
  real a;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_name_in_use.stan', line 5, column 7 to column 8:
//|    -------------------------------------------------
//|      3:  data {
//|      4:    int a;
//|      5:    real a;
//|                 ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Identifier 'a' is already in use.
