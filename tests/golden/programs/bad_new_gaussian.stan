// RUN: %s
// WHY: a distribution under the name it has elsewhere
parameters {
  real x;
}
model {
  x ~ gaussian(0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_gaussian.stan', line 7, column 6 to column 14:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    x ~ gaussian(0, 1);
//|                ^
//|      8:  }
//|    -------------------------------------------------
//|
//| There is no distribution 'gaussian': neither a function 'gaussian_lpdf' nor a function 'gaussian_lpmf' exists. Write 'normal'.
