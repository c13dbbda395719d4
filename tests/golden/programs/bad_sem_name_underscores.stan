// RUN: %s
// WHY: names that end in two underscores are reserved
data {
  int a__;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_name_underscores.stan', line 4, column 6 to column 9:
//|    -------------------------------------------------
//|      2:  // WHY: names that end in two underscores are reserved
//|      3:  data {
//|      4:    int a__;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Identifier 'a__' ends in two underscores; such names are reserved for internal use.
