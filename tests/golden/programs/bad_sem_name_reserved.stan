// RUN: %s
// WHY: a word that is reserved without meaning anything
data {
  int until;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_name_reserved.stan', line 4, column 6 to column 11:
//|    -------------------------------------------------
//|      2:  // WHY: a word that is reserved without meaning anything
//|      3:  data {
//|      4:    int until;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Identifier 'until' is a reserved word and cannot be a name.
