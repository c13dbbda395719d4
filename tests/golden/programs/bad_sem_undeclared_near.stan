// RUN: %s
// WHY: a misspelt variable
data {
  real alpha;
}
model {
  print(alhpa);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_undeclared_near.stan', line 7, column 8 to column 13:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    print(alhpa);
//|                  ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Identifier 'alhpa' not in scope. Did you mean 'alpha'?
