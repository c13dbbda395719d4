// RUN: %s
// WHY: names are told apart by case
data {
  int n;
}
model {
  print(N + n);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_case.stan', line 7, column 8 to column 9:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    print(N + n);
//|                  ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Identifier 'N' not in scope. Did you mean 'n'?
