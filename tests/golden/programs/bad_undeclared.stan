// RUN: %s
// WHY: an undeclared variable, with a suggestion
data {
  real sigma;
}
model {
  target += sigmma;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_undeclared.stan', line 7, column 12 to column 18:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    target += sigmma;
//|                      ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Identifier 'sigmma' not in scope. Did you mean 'sigma'?
