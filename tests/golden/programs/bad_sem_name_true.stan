// RUN: %s
// WHY: truth values are ints
model {
  int a = true;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_name_true.stan', line 4, column 10 to column 14:
//|    -------------------------------------------------
//|      2:  // WHY: truth values are ints
//|      3:  model {
//|      4:    int a = true;
//|                    ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Identifier 'true' is a reserved word and cannot be a name. Truth values are the ints 1 and 0.
