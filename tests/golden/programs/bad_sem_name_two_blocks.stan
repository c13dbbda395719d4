// RUN: %s
// WHY: a name is declared in two blocks
data {
  int a;
}
parameters {
  real a;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_name_two_blocks.stan', line 7, column 7 to column 8:
//|    -------------------------------------------------
//|      5:  }
//|      6:  parameters {
//|      7:    real a;
//|                 ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Identifier 'a' is already in use.
